'use strict';
(() => {
  const SVG = 'http://www.w3.org/2000/svg';
  const digits = (value, step) => {
    if (!Number.isFinite(value)) return Number.isNaN(value) ? 'undefined' : value > 0 ? '∞' : '−∞';
    const size = Math.abs(value);
    if (size > 0 && (size < 1e-4 || size >= 1e15)) {
      const [mantissa, power] = value.toExponential(4).split('e');
      return Number(mantissa) + ' × 10^' + Number(power);
    }
    const options = step > 0
      ? { maximumFractionDigits: Math.min(20, Math.max(0, 1 - Math.floor(Math.log10(step)))) }
      : { maximumSignificantDigits: 6 };
    return value.toLocaleString('en-US', options).replace('-', '−');
  };
  // Abramowitz and Stegun 7.1.26: right to 1.5e-7, more than is shown.
  const below = (z) => {
    const t = 1 / (1 + 0.3275911 * Math.abs(z) / Math.SQRT2);
    const tail = t * Math.exp(-z * z / 2)
      * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429)))) / 2;
    return z > 0 ? 1 - tail : tail;
  };
  const percent = (part) => (100 * part).toFixed(1) + ' %';
  const numbers = (element, names) => names.map((name) => Number(element.dataset[name]));

  // Each reader gives the stops of a plot: where they are and what is said there.
  const density = (svg) => {
    const cells = new Map();
    const curves = new Map();
    const groups = [...svg.querySelectorAll('[data-curve]')].sort((a, b) => a.dataset.place - b.dataset.place);
    for (const group of groups) {
      const [left, right, top, bottom, low, high] = numbers(group, ['left', 'right', 'top', 'bottom', 'low', 'high']);
      cells.set(left, { left, right, top, bottom, low, high });
      const [mean, variance] = numbers(group, ['mean', 'variance']);
      curves.set(group.dataset.curve, { mean, std: Math.sqrt(variance) });
    }
    const stops = [];
    for (const cell of [...cells.values()].sort((a, b) => a.left - b.left)) {
      const count = Math.max(2, Math.round((cell.right - cell.left) / 4));
      const step = (cell.high - cell.low) / count;
      for (let index = 0; index <= count; index += 1) {
        const value = cell.low + step * index;
        const lines = ['Chance of a value up to ' + digits(value, step) + ':'];
        for (const [label, { mean, std }] of curves) {
          const part = std > 0 ? below((value - mean) / std) : Number(value >= mean);
          lines.push(label + ': ' + percent(part));
        }
        const x = cell.left + (cell.right - cell.left) * index / count;
        stops.push({ x, top: cell.top, bottom: cell.bottom, words: lines.join('\n') });
      }
    }
    return stops;
  };
  const line = (svg, figure) => {
    const stops = new Map();
    const box = svg.viewBox.baseVal;
    for (const group of svg.querySelectorAll('[data-series]')) {
      for (const point of group.dataset.points.split(' ').filter(Boolean)) {
        const [x, y, pixel] = point.split(',').map((part) => part === 'inf' ? Infinity : part === '-inf' ? -Infinity : Number(part));
        if (!stops.has(x)) {
          stops.set(x, { x: pixel, top: 40, bottom: box.height - 50, words: figure.dataset.xName + ' = ' + digits(x) });
        }
        stops.get(x).words += '\n' + group.dataset.series + ': ' + digits(y);
      }
    }
    return [...stops.values()].sort((a, b) => a.x - b.x);
  };
  const map = (svg, figure) => [...svg.querySelectorAll('[data-value]')].map((group) => {
    const [x, y] = numbers(group, ['x', 'y']);
    const { xName, yName, valueName } = figure.dataset;
    const box = group.getBBox();
    const words = xName + ' = ' + digits(x) + '\n' + yName + ' = ' + digits(y) + '\n' + valueName + ': '
      + digits(group.dataset.value === 'inf' ? Infinity : Number(group.dataset.value));
    return { x: box.x + box.width / 2, y: box.y + box.height / 2, box, words };
  });
  const bars = (svg, figure) => [...svg.querySelectorAll('[data-bar]')].map((group) => {
    const box = group.getBBox();
    const [count, many] = [Number(group.dataset.count), figure.dataset.yName];
    const words = group.dataset.bar + ': ' + digits(count) + ' ' + (count === 1 && many === 'people' ? 'person' : many);
    return { x: box.x + box.width / 2, y: 0, box, words };
  });

  for (const figure of document.querySelectorAll('figure.plot')) {
    const canvas = figure.querySelector('.canvas');
    const svg = canvas.querySelector('svg');
    const tip = figure.querySelector('.tip');
    const reader = { density, line, map, bars }[figure.dataset.kind];
    let stops = null;
    let at = -1;
    let mark = null;
    const hide = () => {
      tip.hidden = true;
      if (mark) mark.remove();
      mark = null;
    };
    const show = (index, sideways) => {
      at = Math.min(Math.max(index, 0), stops.length - 1);
      const stop = stops[at];
      if (mark) mark.remove();
      mark = document.createElementNS(SVG, stop.box ? 'rect' : 'line');
      const places = stop.box
        ? { class: 'cursor', x: stop.box.x, y: stop.box.y, width: stop.box.width, height: stop.box.height }
        : { class: 'guide', x1: stop.x, x2: stop.x, y1: stop.top, y2: stop.bottom };
      for (const [name, value] of Object.entries(places)) mark.setAttribute(name, value);
      svg.append(mark);
      tip.textContent = stop.words;
      tip.hidden = false;
      if (sideways) {
        const scale = svg.clientWidth / svg.viewBox.baseVal.width;
        canvas.scrollLeft = stop.x * scale - canvas.clientWidth / 2;
      }
      const frame = figure.getBoundingClientRect();
      const place = mark.getBoundingClientRect();
      const right = place.right - frame.left + 10;
      const left = place.left - frame.left - 10 - tip.offsetWidth;
      tip.style.left = Math.max(0, right + tip.offsetWidth <= frame.width ? right : left) + 'px';
      // Under the axis, where it covers no curve.
      tip.style.top = place.bottom - frame.top + (stop.box ? 6 : 22) + 'px';
    };
    const ready = () => {
      stops = stops || reader(svg, figure);
      return stops.length > 0;
    };
    const nearest = (event) => {
      const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
      let best = 0;
      let least = Infinity;
      stops.forEach((stop, index) => {
        const down = stop.box ? stop.y - point.y : 0;
        const distance = (stop.x - point.x) ** 2 + down ** 2;
        if (distance < least) [best, least] = [index, distance];
      });
      return best;
    };
    for (const kind of ['pointermove', 'pointerdown']) {
      svg.addEventListener(kind, (event) => { if (ready()) show(nearest(event), false); });
    }
    canvas.addEventListener('pointerleave', hide);
    canvas.addEventListener('blur', hide);
    canvas.addEventListener('keydown', (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey || !ready()) return;
      const start = at < 0 ? Math.floor(stops.length / 2) : at;
      const row = stops.filter((stop) => stop.y === stops[0].y).length;
      const wide = stops[0].box ? 1 : Math.max(1, Math.round(stops.length / 60));
      const moves = {
        ArrowLeft: -wide, ArrowRight: wide, Home: -stops.length, End: stops.length,
        ArrowUp: stops[0].box ? row : undefined, ArrowDown: stops[0].box ? -row : undefined,
      };
      if (event.key === 'Escape') hide();
      else if (moves[event.key] !== undefined) {
        event.preventDefault();
        show(at < 0 ? start : start + moves[event.key], true);
      }
    });
  }
  // Tables of many rows: a click on a heading sorts, words and a verdict filter.
  for (const table of document.querySelectorAll('table[data-sortable]')) {
    const body = table.tBodies[0];
    const rows = [...body.rows];
    const value = (row, column) => {
      const cell = row.cells[column];
      const number = Number(cell.dataset.value);
      return cell.dataset.value === undefined ? cell.textContent : Number.isNaN(number) ? -Infinity : number;
    };
    const headings = [...table.tHead.rows[0].cells];
    headings.forEach((heading, column) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = heading.textContent;
      heading.textContent = '';
      heading.append(button);
      button.addEventListener('click', () => {
        // Numbers begin with the largest.
        const numeric = heading.classList.contains('n');
        const falls = heading.ariaSort ? heading.ariaSort === 'ascending' : numeric;
        for (const other of headings) other.removeAttribute('aria-sort');
        heading.ariaSort = falls ? 'descending' : 'ascending';
        const order = rows.map((row) => [value(row, column), row]);
        order.sort(([a], [b]) => (typeof a === 'string' ? a.localeCompare(b, 'en', { numeric: true }) : a - b) * (falls ? -1 : 1));
        body.append(...order.map(([, row]) => row));
      });
    });
    const bar = document.createElement('p');
    bar.className = 'filters';
    const words = document.createElement('input');
    words.type = 'search';
    words.placeholder = 'Filter by words';
    words.setAttribute('aria-label', 'Filter by words');
    const verdict = document.createElement('select');
    verdict.setAttribute('aria-label', 'Filter by verdict');
    for (const name of ['all verdicts', 'fail', 'review', 'pass']) verdict.append(new Option(name, name));
    const count = document.createElement('span');
    count.setAttribute('role', 'status');
    const filter = () => {
      const wanted = words.value.toLowerCase();
      let shown = 0;
      for (const row of rows) {
        row.hidden = !(row.textContent.toLowerCase().includes(wanted)
          && (verdict.selectedIndex === 0 || row.dataset.verdict === verdict.value));
        shown += row.hidden ? 0 : 1;
      }
      count.textContent = shown + ' of ' + rows.length + ' rows';
    };
    words.addEventListener('input', filter);
    verdict.addEventListener('change', filter);
    bar.append(words, ' ', verdict, ' ', count);
    table.parentElement.before(bar);
    filter();
  }
  addEventListener('beforeprint', () => {
    for (const details of document.querySelectorAll('details')) details.open = true;
  });
})();
