export { analyse, run } from './machine';
