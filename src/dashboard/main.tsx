import { render } from 'preact';
import { App } from './app.js';
import './style.css';
import './screens/accounts/accounts.css';
import './screens/contract/contract.css';
import './screens/governance/governance.css';
import './screens/overview/overview.css';
import './screens/scenarios/scenarios.css';
import './screens/transaction/transaction.css';

const root = document.getElementById('dashboard');
if (root !== null) render(<App />, root);
