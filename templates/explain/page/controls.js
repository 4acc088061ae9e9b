// The controls above the pictures: filled from the state, and read.

import { fieldBox } from "../model/answer.js";
import { layoutCells } from "../model/layout.js";
import { phasesByDimension } from "../model/schedule.js";
import { planeOf } from "../view/block.js";
import { byId, html, show } from "../view/svg.js";
import { blockWords } from "../view/words.js";

export function fillOptions(select, names, chosen) {
    select.replaceChildren(
        ...names.map(([value, words]) => html("option", { value, selected: String(value) === String(chosen) }, words)),
    );
}

// All controls, as the state has them.
export function fillControls(shown) {
    const { spec, run, state, answer } = shown;
    const exchange = spec.exchange[state.exchange];
    fillOptions(
        byId("exchange"),
        spec.exchange.map((x, i) => [i, x.name]),
        state.exchange,
    );
    fillOptions(
        byId("field"),
        exchange.field.map((f) => [f.field, spec.field[f.field].name]),
        state.field,
    );
    const ranks = [...new Set(answer.layout.owners)].sort((x, y) => x - y);
    fillOptions(
        byId("rank"),
        ranks.map((r) => [r, r]),
        state.rank,
    );
    fillOptions(
        byId("block"),
        state.blocks.map((b, i) => [i, blockWords(spec, b.tile, b.block)]),
        state.block,
    );
    byId("block-control").hidden = state.blocks.length < 2;
    byId("ranks").value = state.question.ranks;
    byId("per-node").value = state.question.perNode;
    byId("schedule").value = state.question.byDimension ? "dimension" : "one";
    byId("schedule-control").hidden = Boolean(run) || phasesByDimension(answer.layout, exchange) === null;
    byId("plane-control").hidden = spec.axes < 3;
    fillCells(spec, state);
    fillDeeper(shown);
    // What a run did cannot be asked otherwise.
    for (const input of document.querySelectorAll("#ranks, #per-node, #cells input"))
        input.disabled = input.disabled || Boolean(run);
}

// One number for each axis of each tile; of tiles that are alike, once for all.
function fillCells(spec, state) {
    const { cells } = state.question;
    const alike = cells.every((c) => c.join() === cells[0].join());
    const shown = alike ? [cells[0]] : cells;
    const inputs = shown.flatMap((list, t) =>
        list.map((n, a) =>
            html(
                "label",
                {},
                `${shown.length > 1 ? `tile ${spec.tile_names ? spec.tile_names[t] : t}, ` : ""}${spec.axis[a]} `,
                html("input", {
                    type: "number",
                    min: 1,
                    max: 1048576,
                    value: n,
                    id: `cells-${t}-${a}`,
                    "data-tile": t,
                    "data-axis": a,
                    disabled: spec.cells[a] > 0,
                }),
            ),
        ),
    );
    show(byId("cells"), ...inputs);
}

// Indices along the axes that the picture of the block does not show.
export function fillDeeper({ spec, state, answer }) {
    const { across, up } = planeOf(answer, state);
    fillOptions(
        byId("plane"),
        spec.axis.flatMap((x, a) => spec.axis.map((y, b) => [`${a},${b}`, `${x}${y}`]).slice(a + 1)),
        `${across},${up}`,
    );
    const { tile, block } = state.blocks[state.block];
    const { all } = fieldBox(spec, state.field, layoutCells(answer.layout, tile, block).cells);
    const others = [...Array(spec.axes).keys()].filter((a) => a !== across && a !== up);
    show(
        byId("deeper"),
        ...others.map((a) =>
            html(
                "label",
                {},
                `${spec.axis[a]} = `,
                html("input", {
                    type: "number",
                    id: `deep-${a}`,
                    "data-axis": a,
                    min: all.lo[a],
                    max: all.hi[a] - 1,
                    value: state.point[a],
                }),
            ),
        ),
    );
}

// The cells of each tile; throws a RangeError that says what is no number of them.
export function readCells(spec, state) {
    const cells = state.question.cells.map((c) => c.slice());
    const alike = byId("cells").querySelectorAll("input").length === spec.axes;
    for (const input of byId("cells").querySelectorAll("input")) {
        const value = Math.floor(Number(input.value));
        if (!(value >= 1 && value <= 1048576))
            throw new RangeError(`${input.value || "Nothing"} is no number of cells. Give one from 1 to 1048576.`);
        for (let t = 0; t < cells.length; ++t) {
            if (alike || t === Number(input.dataset.tile)) cells[t][Number(input.dataset.axis)] = value;
        }
    }
    return cells;
}

export function readNumber(id, what) {
    const value = Math.floor(Number(byId(id).value));
    if (!(value >= 1 && value <= 1048576))
        throw new RangeError(`${byId(id).value || "Nothing"} is no number of ${what}. Give 1 or more.`);
    return value;
}
