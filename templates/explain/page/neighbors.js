// The section of the block's neighbors.

import { neighborRows, neighborsPicture } from "../view/neighbors.js";
import { byId, show, table } from "../view/svg.js";
import { blockWords } from "../view/words.js";
import { foundAt, pointTowards } from "./place.js";

// Why nobody feeds the block from a direction.
function nobodyWords(shown, direction) {
    const found = foundAt(shown, pointTowards(shown, direction));
    if (found.kind === "wall") return `wall: ${found.fill === "none" ? "not filled" : found.fill}`;
    return found.kind === "corner" ? "no tile here" : "nobody";
}

export function showNeighbors(shown, choose) {
    const { spec, state, answer } = shown;
    const { tile, block } = state.blocks[state.block];
    show(
        byId("neighbors-place"),
        neighborsPicture(answer, state, {
            choose: (peer) => choose.segment(peer.message, peer.segment),
            nobody: (direction) => nobodyWords(shown, direction),
        }),
    );
    show(
        byId("neighbors-table"),
        table(
            `Who feeds ${blockWords(spec, tile, block)} of rank ${state.rank}`,
            ["direction", "rank", "block", "path", "bytes", "axes turned"],
            neighborRows(answer, state),
        ),
    );
}
