// Makes reports with the program and looks at them in a browser. Arguments: the program, the browser, a folder that
// holds playwright-core and takes the pages. Prints `ok …` or `FAILED …` for each check.
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [program, executablePath, folder] = process.argv.slice(2);
const { chromium } = createRequire(resolve(folder, 'package.json'))('playwright-core');
const pages = join(folder, 'pages');
mkdirSync(pages, { recursive: true });

const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const cases = 'programs/public_statistics';
const ages = ['--prior', 'ages=[Normal(35, 4) for _ in range(100)]', '--secret', 'ages[0]'];
const noisy = ['programs/noisy_average.py', '--prior', 'incomes=[Normal(500, 2500) for _ in range(10)]', '--secret', 'incomes[0]'];

// A program, and a release, whose names want to be markup.
const hostile = join(pages, `<img src=x onerror=alert(1)>'".py`);
writeFileSync(hostile, `# </code><script>alert(2)</script> --> \u202e\n`
  + 'def f():\n    x = Normal(0, 1)\n    y = x + Normal(0, 1)\n    condition(y, 1)\n    return x\n');

const reports = [
  { name: 'case1', arguments: ['analyze', `${cases}/case1.py`, '--truth', '500_000'],
    says: ['482,981 … 483,019', '479,980 … 480,020', '0.076 bits', '500,000', 'Read this with care', '64,921'],
    tip: /Chance of a value up to 48\d,\d{3}.*\nbefore: [\d.]+ %\nafter: [\d.]+ %/ },
  { name: 'noise', arguments: ['analyze', `${cases}/dp_case1.py`], says: ['next to nothing', '5 × 10⁻¹⁰ bits'],
    tip: /before: ([\d.]+) %\nafter: \1 %/ },
  { name: 'disclosed', arguments: ['analyze', 'programs/differencing.py'], says: ['exactly: 61,000', '∞ bits', 'Full disclosure'],
    tip: /after: (0|100)\.0 %/ },
  { name: 'unseen', arguments: ['analyze', 'programs/ages.py', ...ages], says: ['Nothing observed yet', '0.00725 bits'],
    tip: /Chance of a value up to [\d.]+:/ },
  { name: 'several', arguments: ['analyze', 'programs/kalman.py', '--query', 'P(position > 4)'],
    says: ['Of 2 secrets', '3.30 … 5.03', '4.87 bits', 'P(position > 4)'], tip: /after: [\d.]+ %/ },
  { name: 'failed', status: 3, arguments: ['analyze', 'programs/weighted_mean.py', '--secret', 'answers[2]', '--observe', '6.5',
    '--require', 'mutual_information_bits <= 0.1'], says: ['The requirement is not met', '0.339036'], tip: /after: [\d.]+ %/ },
  { name: 'compared', arguments: ['compare', `${cases}/case1.py`, `${cases}/case2.py`, `${cases}/case3.py`, `${cases}/dp_case1.py`],
    says: ['What 4 releases reveal', '5 × 10⁻¹⁰ bits', 'dp_case1.py'], tip: /before: .*\ncase1\.py: .*\ncase2\.py: .*\ncase3\.py: .*\ndp_case1\.py: [\d.]+ %/ },
  { name: 'swept', arguments: ['sweep', ...noisy, 'epsilon=0.05..0.95', '--log', '--measure', 'mutual_information_bits',
    '--measure', 'prior_std'], says: ['rises from', '0.00104 bits'], tip: /epsilon = 0\.\d+\nmutual_information_bits: / },
  { name: 'mapped', arguments: ['sweep', 'xtask/browser/two_parameters.py', 'people=2..20', 'noise=1..10', '--steps', '4',
    '--secret', 'incomes[0]'], says: ['is lowest', 'and highest'], tip: /people = \d+\nnoise = \d+\nmutual_information_bits: / },
  { name: 'audited', status: 3, arguments: ['audit', 'programs/audit/department.py', '--table', 'staff=programs/audit/department.csv',
    '--secret', 'staff.salary', '--prior', 'Normal(mean=50_000, std=20_000)'], at: '[data-bar]',
    says: ['May this be published?', 'should not be published', 'sales without its head', '98,500 exactly'], tip: /people|person/,
    filters: { words: 'full_disclosure', rows: 1, all: 14 } },
  { name: 'hostile', arguments: ['analyze', hostile], says: ['<img src=x onerror=alert(1)>', '</code><script>alert(2)</script> --> ⟨U+202E⟩'],
    tip: /after: [\d.]+ %/ },
];

let failures = 0;
const check = async (name, what, test) => {
  try {
    await test();
    console.log(`ok ${name}: ${what}`);
  } catch (error) {
    failures += 1;
    console.log(`FAILED ${name}: ${what}: ${String(error.message).split('\n').slice(0, 3).join(' ')}`);
  }
};
const expect = (condition, words) => { if (!condition) throw new Error(words); };

// The texts of a page that stand out too little from what is behind them.
const faintTexts = () => {
  const channels = (colour) => (colour.match(/[\d.]+/g) || []).map(Number);
  const luminance = ([red, green, blue]) => [red, green, blue]
    .map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
  const behind = (element) => {
    // A text in a cell of a map stands on the cell.
    const cell = element.closest('[data-value]')?.querySelector('polygon');
    if (cell) return channels(getComputedStyle(cell).fill);
    for (let at = element; at; at = at.parentElement) {
      const [red, green, blue, alpha = 1] = channels(getComputedStyle(at).backgroundColor);
      if (alpha > 0.99) return [red, green, blue];
    }
    return [255, 255, 255];
  };
  const found = [];
  const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || element.closest('[hidden]')) continue;
    const style = getComputedStyle(element);
    const colour = channels(element.namespaceURI.endsWith('svg') ? style.fill : style.color);
    const [one, other] = [luminance(colour), luminance(behind(element))];
    const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    if (contrast < 4.5) found.push(`${walker.currentNode.data.trim().slice(0, 30)} (${contrast.toFixed(2)})`);
  }
  return found;
};

const browser = await chromium.launch({ executablePath, args: FLAGS });
for (const report of reports) {
  const { name } = report;
  const file = join(pages, `${name}.html`);
  let status = 0;
  try {
    execFileSync(program, [...report.arguments, '--html', file], { stdio: ['ignore', 'ignore', 'inherit'] });
  } catch (error) {
    status = error.status;
  }
  await check(name, 'is written', () => expect(status === (report.status ?? 0), `exit code ${status}`));

  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  const complaints = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('dialog', (dialog) => { complaints.push(`dialog ${dialog.message()}`); dialog.dismiss(); });
  page.on('request', (request) => { if (request.url() !== pathToFileURL(file).href) complaints.push(`request ${request.url()}`); });
  await page.goto(pathToFileURL(file).href);
  const figure = page.locator('figure.plot').first();
  const canvas = figure.locator('.canvas');
  const tip = figure.locator('.tip');

  await check(name, 'shows its numbers', async () => {
    const text = await page.locator('main').innerText();
    for (const words of report.says) expect(text.includes(words), `“${words}” is not there`);
  });
  await check(name, 'tells values under the pointer', async () => {
    await canvas.scrollIntoViewIfNeeded();
    const box = await canvas.locator('svg').boundingBox();
    expect(await tip.isHidden(), 'the tip is there before the pointer');
    const bar = report.at && await canvas.locator(report.at).first().boundingBox();
    if (bar) await page.mouse.move(bar.x + bar.width / 2, bar.y + bar.height / 2);
    else await page.mouse.move(box.x + box.width * 0.45, box.y + box.height * 0.55);
    expect(await tip.isVisible(), 'no tip appears');
    const words = await tip.textContent();
    expect(report.tip.test(words), `the tip says “${words}”`);
    await page.mouse.move(1, 1);
    expect(await tip.isHidden(), 'the tip stays');
  });
  await check(name, 'tells values to the keyboard', async () => {
    for (let press = 0; press < 60; press += 1) {
      await page.keyboard.press('Tab');
      if (await canvas.evaluate((element) => element === document.activeElement)) break;
    }
    expect(await canvas.evaluate((element) => element === document.activeElement), 'Tab does not reach the plot');
    expect(await canvas.evaluate((element) => getComputedStyle(element).outlineStyle !== 'none'), 'focus is not seen');
    await page.keyboard.press('ArrowRight');
    const first = await tip.textContent();
    // Of two bars the right one has none to its right.
    await page.keyboard.press(report.at ? 'ArrowLeft' : 'ArrowRight');
    const second = await tip.textContent();
    expect(report.tip.test(first) && first !== second, `the tips say “${first}” and “${second}”`);
    await page.keyboard.press('Escape');
    expect(await tip.isHidden(), 'Escape does not hide the tip');
  });
  if (report.filters) {
    const table = page.locator('table').first();
    const shown = async () => (await table.locator('tbody tr:visible').allInnerTexts());
    await check(name, 'filters and sorts its rows', async () => {
      const { words, rows, all } = report.filters;
      await page.locator('input[type=search], input[type=text], input:not([type])').first().fill(words);
      expect((await shown()).length === rows, `${(await shown()).length} rows with “${words}”`);
      await page.locator('input[type=search], input[type=text], input:not([type])').first().fill('');
      const before = await shown();
      expect(before.length === all, `${before.length} rows without a filter`);
      await table.locator('th').first().locator('button').click();
      const after = await shown();
      expect(before.join() !== after.join() && before.toSorted().join() === after.toSorted().join(), 'sorting does nothing');
    });
  }
  await check(name, 'has one language, one main heading and named drawings', async () => {
    expect((await page.locator('html').getAttribute('lang')) === 'en', 'no language');
    expect((await page.locator('h1').count()) === 1, 'not one main heading');
    expect((await page.locator('svg:not([aria-label])').count()) === 0, 'a drawing without a name');
    expect((await page.locator('img, iframe, object, link').count()) === 0, 'something foreign');
    expect((await page.locator('script').count()) === 1, 'more than one script');
  });
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    await check(name, `can be read in ${colorScheme} colours`, async () => {
      const faint = await page.evaluate(faintTexts);
      expect(faint.length === 0, `too faint: ${faint.slice(0, 3).join('; ')}`);
      const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      const isDark = Number(paper.match(/\d+/)[0]) < 64;
      expect(isDark === (colorScheme === 'dark'), `the paper is ${paper}`);
    });
  }
  for (const width of [380, 1280]) {
    await check(name, `fits ${width} pixels`, async () => {
      await page.setViewportSize({ width, height: 900 });
      for (const open of [false, true]) {
        await page.evaluate((open) => document.querySelectorAll('details').forEach((details) => { details.open = open; }), open);
        const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        expect(over <= 0, `${over} pixels too wide`);
      }
    });
  }
  await check(name, 'prints', async () => {
    const pdf = await page.pdf({ format: 'A4' });
    expect(pdf.subarray(0, 5).toString() === '%PDF-' && pdf.length > 10_000, 'no PDF');
  });
  await check(name, 'loads nothing and complains about nothing', () => expect(complaints.length === 0, complaints.join('; ')));
  await page.close();
}
await browser.close();
process.exitCode = failures ? 1 : 0;
