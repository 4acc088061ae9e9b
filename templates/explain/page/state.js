// What is shown: the question, and what of its answer is looked at.  It can be read from the address and put there.

import { Answer, fieldBox } from "../model/answer.js";
import { blocksOf, layoutCells } from "../model/layout.js";

const NUMBERS = ["exchange", "field", "rank", "block", "ranks", "perNode"];
const MOST = 1048576; // of any of them, and of cells, as controls take: what is far more would never be worked out

// The state at first: the question that halogen was asked.
export function firstState(spec, question) {
    return {
        question: { byDimension: false, ...question },
        exchange: 0,
        field: spec.exchange[0].field[0].field,
        rank: question.rank || 0,
        block: 0,
        plane: [0, Math.min(1, spec.axes - 1)],
        point: null,
        message: 0,
        segment: null,
        pointed: null,
        turn: null, // of the globe
    };
}

// Holds what is chosen within what there is, after any change.
export function settle(spec, state, answer) {
    const known = spec.exchange[state.exchange].field.map((f) => f.field);
    if (!known.includes(state.field)) [state.field] = known;
    const owners = [...new Set(answer.layout.owners)].sort((x, y) => x - y);
    if (!owners.includes(state.rank)) [state.rank] = owners;
    state.blocks = blocksOf(answer.layout, state.rank);
    if (state.block >= state.blocks.length) state.block = 0;
    const { tile, block } = state.blocks[state.block];
    const box = fieldBox(spec, state.field, layoutCells(answer.layout, tile, block).cells);
    if (!state.point) state.point = firstPoint(spec, state, box);
    state.point = state.point.map((p, a) => Math.min(Math.max(p, box.all.lo[a]), box.all.hi[a] - 1));
}

// A ghost point beside the middle of the block's low side.
function firstPoint(spec, state, { owned, all }) {
    const point = owned.hi.map((hi) => Math.floor(hi / 2));
    const axis = state.plane.find((a) => all.lo[a] < 0);
    if (axis !== undefined) point[axis] = -1;
    return point;
}

export function answerOf(spec, state) {
    return new Answer(spec, state.question);
}

// "#exchange=1&rank=3&cells=96,96,48"
export function toAddress(state) {
    const { question } = state;
    const words = new URLSearchParams({
        exchange: state.exchange,
        field: state.field,
        rank: state.rank,
        block: state.block,
        ranks: question.ranks,
        perNode: question.perNode,
        cells: question.cells.map((c) => c.join(",")).join(";"),
        schedule: question.byDimension ? "dimension" : "one",
        point: state.point.join(","),
    });
    if (question.parts) words.set("parts", question.parts.map((p) => p.join(",")).join(";"));
    return `#${words}`;
}

const lists = (word) => word.split(";").map((list) => list.split(",").map(Number));
const fits = (list, spec) => list.length === spec.axes && list.every((n) => Number.isInteger(n));

// Takes over what an address says, as far as it makes sense.  measured: a run has answered the question itself.
export function fromAddress(spec, state, address, measured) {
    const words = new URLSearchParams(address.replace(/^#/, ""));
    if (measured) {
        for (const name of ["ranks", "perNode", "cells", "parts", "schedule"]) words.delete(name);
    }
    for (const name of NUMBERS) {
        const value = Number(words.get(name));
        if (!words.has(name) || !Number.isInteger(value) || value < 0 || value > MOST) continue;
        if (name === "ranks" || name === "perNode") state.question[name] = Math.max(1, value);
        else if (name !== "exchange" || value < spec.exchange.length) state[name] = value;
    }
    const positive = (tiles) =>
        tiles.length === spec.tiles && tiles.every((t) => fits(t, spec) && t.every((n) => n > 0 && n <= MOST));
    if (words.has("cells") && positive(lists(words.get("cells")))) state.question.cells = lists(words.get("cells"));
    if (words.has("parts") && positive(lists(words.get("parts")))) state.question.parts = lists(words.get("parts"));
    else if (words.has("ranks")) state.question.parts = null;
    if (words.has("schedule")) state.question.byDimension = words.get("schedule") === "dimension";
    const point = words.has("point") ? lists(words.get("point"))[0] : [];
    if (fits(point, spec)) state.point = point;
}
