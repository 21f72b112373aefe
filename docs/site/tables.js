// The head of its column for each entry but the first of a row, which is the name of the row; docs/site/site.css shows them on a phone.
document.querySelectorAll(".md-typeset table").forEach(table => {
  const heads = [...table.querySelectorAll("thead th")].map(head => head.textContent.trim());
  table.querySelectorAll("tbody tr").forEach(row =>
    [...row.cells].forEach((cell, column) => { if (column > 0 && heads[column]) cell.dataset.head = heads[column]; }));
});
