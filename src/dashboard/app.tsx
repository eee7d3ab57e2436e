/** The frame around all screens, and which address shows which screen. */

import type { ComponentType } from 'preact';
import { lazy, Suspense } from 'preact/compat';
import { Route, Router, Switch, useLocation } from 'wouter-preact';
import { ChainProvider } from './chain/chain-context.js';
import { Header, Refusal } from './frame/header.js';
import { Navigation } from './frame/navigation.js';
import { useHashPath } from './parts/address-state.js';
import { ErrorBoundary } from './parts/error-boundary.js';
import { Screen } from './parts/panel.js';
import { Overview } from './screens/overview/overview.js';

/** All but the first screen are loaded when they are opened. */
function screen<Props>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  return lazy(() => load().then((component) => ({ default: component }))) as unknown as ComponentType<Props>;
}

const Blocks = screen(() => import('./screens/blocks/blocks.js').then(({ Blocks }) => Blocks));
const Block = screen(() => import('./screens/blocks/block.js').then(({ Block }) => Block));
const Transactions = screen(() =>
  import('./screens/transaction/transactions.js').then(({ Transactions }) => Transactions),
);
const Transaction = screen(() => import('./screens/transaction/transaction.js').then(({ Transaction }) => Transaction));
const Contracts = screen(() => import('./screens/contract/contracts.js').then(({ Contracts }) => Contracts));
const Contract = screen(() => import('./screens/contract/contract.js').then(({ Contract }) => Contract));
const Accounts = screen(() => import('./screens/accounts/accounts.js').then(({ Accounts }) => Accounts));
const Account = screen(() => import('./screens/accounts/account.js').then(({ Account }) => Account));
const Governance = screen(() => import('./screens/governance/governance.js').then(({ Governance }) => Governance));
const Scenarios = screen(() => import('./screens/scenarios/scenarios.js').then(({ Scenarios }) => Scenarios));
const Controls = screen(() => import('./screens/controls/controls.js').then(({ Controls }) => Controls));

export function App() {
  return (
    <ChainProvider>
      <Router hook={useHashPath}>
        <button type="button" class="skip" onClick={toContent}>
          Skip to content
        </button>
        <Header />
        <Refusal />
        <div class="body">
          <Navigation />
          <Screens />
        </div>
      </Router>
    </ChainProvider>
  );
}

/** While the code of a screen comes: a page as complete as the others. */
function LoadingScreen() {
  return (
    <Screen title="Loading">
      <p class="loading" role="status">
        Loading …
      </p>
    </Screen>
  );
}

/** A screen that has failed is left behind with its address. */
function Screens() {
  const [location] = useLocation();
  return (
    <ErrorBoundary key={location}>
      <Suspense fallback={<LoadingScreen />}>
        <Switch>
          <Route path="/">
            <Overview />
          </Route>
          <Route path="/blocks">
            <Blocks />
          </Route>
          <Route path="/blocks/:number">{({ number }) => <Block number={Number(number)} />}</Route>
          <Route path="/transactions">
            <Transactions />
          </Route>
          <Route path="/transactions/:id">{({ id }) => <Transaction id={id} key={id} />}</Route>
          <Route path="/contracts">
            <Contracts />
          </Route>
          <Route path="/contracts/:address">{({ address }) => <Contract address={address} key={address} />}</Route>
          <Route path="/accounts">
            <Accounts />
          </Route>
          <Route path="/accounts/:address">{({ address }) => <Account text={address} key={address} />}</Route>
          <Route path="/governance">
            <Governance />
          </Route>
          <Route path="/scenarios">
            <Scenarios />
          </Route>
          <Route path="/controls">
            <Controls />
          </Route>
          <Route>
            <Screen title="Not found">
              <p class="empty">There is no such screen.</p>
            </Screen>
          </Route>
        </Switch>
      </Suspense>
    </ErrorBoundary>
  );
}

/** A button, because the part of an address behind # names the screen. */
function toContent(): void {
  document.getElementById('main')?.focus();
}
