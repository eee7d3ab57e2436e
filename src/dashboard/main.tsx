import { render } from 'preact';
import { App } from './app.js';
import './style.css';

const root = document.getElementById('dashboard');
if (root !== null) render(<App />, root);
