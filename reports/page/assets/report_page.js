/* Switches of the figures, and the table. */

function showOne(id, selector) {
  for (const each of document.querySelectorAll(selector)) each.hidden = each.id !== id;
}

function setUpSwitches() {
  const view = document.getElementById("view");
  if (view) {
    view.onchange = () => showOne(view.value, "figure.view");
    view.onchange();
  }
  const length = document.getElementById("cost-n");
  if (length) {
    length.onchange = () => showOne(length.value, ".cost");
    length.onchange();
  }
  const cost = document.getElementById("cost-of");
  if (cost) {
    cost.onchange = () => {
      for (const figure of document.querySelectorAll("figure[data-cost]"))
        figure.hidden = cost.value !== "all" && cost.value !== figure.dataset.cost;
    };
    cost.onchange();
  }
  for (const box of document.querySelectorAll("input[data-part]")) {
    box.onchange = () => document.getElementById("curves").classList.toggle("no-" + box.dataset.part, !box.checked);
    box.onchange();
  }
  for (const figure of document.querySelectorAll("figure.view")) {
    const boxes = figure.querySelectorAll("input[data-series]");
    const update = () => {
      for (const box of boxes)
        for (const curve of figure.querySelectorAll(`.curve[data-series="${box.dataset.series}"]`))
          curve.classList.toggle("off", !box.checked);
    };
    for (const box of boxes) box.onchange = update;
    for (const button of figure.querySelectorAll("button[data-all]"))
      button.onclick = () => {
        for (const box of boxes) box.checked = button.dataset.all === "1";
        update();
      };
    update();
  }
}

function cellText(value) {
  if (value === null) return "";
  return typeof value === "number" && value !== 0 && Math.abs(value) < 1e-3 ? value.toExponential() : String(value);
}

/* As -a options, each fit for a shell. */
function commandOf(columns, row) {
  const axes = ["transform", "algorithm", "mode", "machine", "tables", "n", "batch", "input", "seed"];
  const quoted = text => /^[\w=:.,+\/-]*$/.test(text) ? text : "'" + text.replaceAll("'", "'\\''") + "'";
  const value = name => cellText(columns.find(column => column.name === name).at(row));
  for (const [axis, usual] of [["store", "op"], ["scale", "none"]]) if (value(axis) !== usual) axes.push(axis);
  return "fftprec run " + axes.map(axis => "-a " + quoted(axis + "=" + value(axis))).join(" ") + " --csv -";
}

function setUpTable() {
  const data = JSON.parse(document.getElementById("data").textContent);
  const columns = decode(data);
  const same = columns.filter(column => data.rows > 1 && column.dictionary && column.dictionary.length === 1 && column.name !== "status");
  document.getElementById("same").textContent = same.length === 0 ? "" :
    "The same in all rows: " + same.map(column => column.name + " " + cellText(column.dictionary[0])).join(", ") + ".";
  const last = column => column.name === "status" || column.name === "message";
  const differing = columns.filter(column => !same.includes(column));
  const shown = [...differing.filter(column => !last(column)), ...differing.filter(last)];
  const lineHeight = 24;
  const box = document.getElementById("rows");
  const head = box.appendChild(document.createElement("div"));
  const body = box.appendChild(document.createElement("div"));
  head.className = "head";
  body.className = "body";
  let rows = [];
  let sorted = null;
  let descending = false;
  let matches = () => true;
  let chosen = -1;

  const width = column => {
    let most = column.name.length + 3;
    for (let i = 0; i < 200; ++i) most = Math.max(most, cellText(column.at(Math.floor(i * data.rows / 200))).length);
    return Math.min(most, 34) * 8.2 + 18;
  };
  const widths = shown.map(width);
  const total = widths.reduce((a, b) => a + b, 0);
  const titles = shown.map((column, i) => {
    const title = head.appendChild(document.createElement("button"));
    title.type = "button";
    title.title = column.meaning;
    title.className = column.number ? "number" : "";
    title.style.width = widths[i] + "px";
    title.onclick = () => {
      descending = sorted === column && !descending;
      sorted = column;
      select();
    };
    return title;
  });

  function cell(text, i) {
    const element = document.createElement("span");
    element.className = shown[i].number ? "cell number" : "cell";
    element.style.width = widths[i] + "px";
    element.textContent = text;
    element.title = text;
    return element;
  }

  function draw() {
    const first = Math.max(0, Math.floor(box.scrollTop / lineHeight) - 8);
    const count = Math.ceil(box.clientHeight / lineHeight) + 16;
    const lines = rows.slice(first, first + count).map((row, i) => {
      const line = document.createElement("div");
      line.className = row === chosen ? "line chosen" : "line";
      line.style.top = (first + i) * lineHeight + "px";
      line.append(...shown.map((column, at) => cell(cellText(column.at(row)), at)));
      line.onclick = () => choose(row);
      return line;
    });
    body.replaceChildren(...lines);
  }

  function choose(row) {
    chosen = row;
    const detail = document.getElementById("row");
    const command = document.createElement("code");
    command.className = "command";
    const whole = document.querySelector("#manifest .command")?.textContent;
    const measured = /^\S+ measure /.test(whole ?? "");  // results of other programs
    for (const word of (measured ? whole : commandOf(columns, row)).split(" ")) {
      command.appendChild(document.createElement("span")).textContent = word;
      command.append(" ");
    }
    const list = document.createElement("dl");
    for (const column of columns) {
      const entry = list.appendChild(document.createElement("div"));
      entry.title = column.meaning;
      entry.appendChild(document.createElement("dt")).textContent = column.name;
      entry.appendChild(document.createElement("dd")).textContent = cellText(column.at(row));
    }
    detail.replaceChildren(command, list);
    draw();
  }

  function select() {
    rows = selectRows(data.rows, matches, sorted, descending);
    titles.forEach((title, i) => {
      const mark = shown[i] === sorted ? (descending ? " \u25bc" : " \u25b2") : "";
      title.textContent = shown[i].name + mark;
    });
    body.style.height = rows.length * lineHeight + "px";
    body.style.width = total + "px";
    head.style.width = total + "px";
    document.getElementById("matches").textContent = `${rows.length} of ${data.rows} rows`;
    draw();
  }

  const filter = document.getElementById("filter");
  filter.oninput = () => {
    const problem = document.getElementById("filter-error");
    try {
      matches = parseFilter(filter.value, columns);
      problem.hidden = true;
    } catch (error) {
      problem.textContent = error.message;
      problem.hidden = false;
      return;
    }
    box.scrollTop = 0;
    select();
  };
  box.onscroll = draw;
  window.addEventListener("resize", draw);
  select();
}

setUpSwitches();
setUpTable();
