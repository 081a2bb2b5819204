// Small pictures for buttons, drawn for a 24 by 24 square in the colour of the text.
import { svg } from './dom.js';

const PATHS = {
  back: 'M14 5l-7 7l7 7', on: 'M10 5l7 7l-7 7', first: 'M17 5l-7 7l7 7M6 5v14', last: 'M7 5l7 7l-7 7M18 5v14',
  undo: 'M4 9h10a5 5 0 0 1 0 11H9M4 9l5-5M4 9l5 5', redo: 'M20 9H10a5 5 0 0 0 0 11h5M20 9l-5-5M20 9l-5 5',
  hint: 'M9 18h6M10 21h4M8.5 14.5a6 6 0 1 1 7 0c-.8.6-1 1.3-1 2h-5c0-.7-.2-1.4-1-2z',
  add: 'M12 5v14M5 12h14', more: 'M5 11.5h1v1H5zM11.5 11.5h1v1h-1zM18 11.5h1v1h-1z', stop: 'M7 7h10v10H7z', play: 'M8 5l11 7l-11 7z', pause: 'M8 5v14M16 5v14',
  share: 'M12 15V4M8 8l4-4l4 4M5 13v6h14v-6', open: 'M3 19V6h6l2 2h8v3M3 19l3-8h16l-3 8z', edit: 'M4 20l1-5L16 4l4 4L9 19z',
  look: 'M11 4a7 7 0 1 0 0 14a7 7 0 0 0 0-14M16 16l5 5', tree: 'M12 4v4M12 8L6 14M12 8l6 6M6 14v5M18 14v5M12 8v11', sound: 'M4 9v6h4l5 4V5L8 9zM17 9a4 4 0 0 1 0 6',
  globe: 'M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18M3.5 9.5h17M3.5 14.5h17M12 3c-5 5.5-5 12.5 0 18c5-5.5 5-12.5 0-18', close: 'M6 6l12 12M18 6L6 18', check: 'M5 13l5 5L20 7', book: 'M4 5h7a2 2 0 0 1 1 2v13a3 3 0 0 0-2-1H4zM20 5h-7a2 2 0 0 0-1 2v13a3 3 0 0 1 2-1h6z', swap: 'M4 8h14l-4-4M20 16H6l4 4', game: 'M4 4h16v16H4zM4 12h16M12 4v16',
};

const icon = (name) => svg('svg', { class: 'icon', viewBox: '0 0 24 24', 'aria-hidden': 'true' }, svg('path', { d: PATHS[name] }));

export { icon };
