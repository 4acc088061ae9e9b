// Points of the block that is shown.

import { fieldBox } from "../model/answer.js";
import { layoutCells } from "../model/layout.js";

// Of the field that is shown: { owned, all }.
export function boxesShown({ spec, state, answer }) {
    const { tile, block } = state.blocks[state.block];
    return fieldBox(spec, state.field, layoutCells(answer.layout, tile, block).cells);
}

// A point that stands for all in a direction: just outside of the block, in the middle of its side.
export function pointTowards(shown, direction) {
    const { hi } = boxesShown(shown).owned;
    return direction.map((d, a) => (d < 0 ? -1 : d > 0 ? hi[a] : Math.floor(hi[a] / 2)));
}

export function directionOf(shown, point) {
    const { hi } = boxesShown(shown).owned;
    return point.map((p, a) => (p < 0 ? -1 : p >= hi[a] ? 1 : 0));
}

// What the exchange that is shown does with a point: { kind, … }, as Answer.at has it.
export function foundAt({ state, answer }, point) {
    return answer.at(state.exchange, state.field, state.blocks[state.block], point);
}
