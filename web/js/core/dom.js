// Building elements: el('button.strong', { onclick, 'aria-label': … }, 'text', child, …).

const $ = (id) => document.getElementById(id);

const SVG = 'http://www.w3.org/2000/svg';

// Puts properties on an element: on… are listeners, `class`, `text`, `html` and `data` say what they set; false and null
// are left out; what is left are attributes.
function assign(element, props) {
  for (const [name, value] of Object.entries(props)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith('on')) element[name] = value;
    else if (name === 'class') element.classList.add(...value.split(' ').filter(Boolean));
    else if (name === 'text') element.textContent = value;
    else if (name === 'html') element.innerHTML = value;
    else if (name === 'data') Object.assign(element.dataset, value);
    else if (name === 'value' || name === 'checked' || name === 'disabled') element[name] = value;
    else element.setAttribute(name, value === true ? '' : value);
  }
}

// An element: 'tag.class.class', its properties (may be left out), and children: elements, texts, lists of them; what is
// null or false is left out. A button is of type "button".
function build(space, tag, props, children) {
  const [name, ...classes] = tag.split('.');
  const element = space ? document.createElementNS(space, name) : document.createElement(name);
  if (classes.length) element.classList.add(...classes);
  if (name === 'button') element.type = 'button';
  const isProps = props && typeof props === 'object' && !(props instanceof Node) && !Array.isArray(props);
  const all = isProps || props === null ? children : [props, ...children];
  element.append(...all.flat(Infinity).filter((each) => each !== null && each !== undefined && each !== false));
  if (isProps) assign(element, props);
  return element;
}

const el = (tag, props, ...children) => build(null, tag, props, children);
const svg = (tag, props, ...children) => build(SVG, tag, props, children);

export { $, el, svg };
