// What happens when a rank, a point or a segment is chosen in a picture or in a table.

import { markCell } from "../view/cell.js";
import { byId } from "../view/svg.js";
import { showBlock } from "./block.js";
import { fillDeeper } from "./controls.js";
import { showMessages } from "./message.js";
import { settle, toAddress } from "./state.js";
import { tellOfPoint } from "./told.js";

// draw(): draws all of the page.
export function choices(shown, draw) {
    const { spec, state } = shown;
    const choose = {
        // The block: of those of the rank, or its first one.
        rank(rank, tile, block) {
            state.rank = rank;
            settle(spec, state, shown.answer);
            const found = state.blocks.findIndex((b) => b.tile === tile && b.block === block);
            state.block = Math.max(0, found);
            draw();
        },

        // A part of the halo, by a point of it.
        part(point) {
            state.point = point;
            draw();
        },

        // take: keep it, and show its message; else only tell of it.
        point(point, take) {
            const before = state.segment;
            state.point = point;
            const cell = markCell(byId("block-picture"), point);
            tellOfPoint(shown);
            if (take && cell) cell.focus({ preventScroll: true });
            if (take || before !== state.segment || state.segment) showMessages(shown, choose);
            if (take) history.replaceState(null, "", toAddress(state));
        },

        // At a point of it.  Where that is a ghost point of the block that is shown, the block shows it, too.
        segment(message, segment, point = segment.lo) {
            const { tile, block } = state.blocks[state.block];
            state.message = shown.answer.messages(state.exchange, state.rank).indexOf(message);
            state.segment = segment;
            state.pointed = point;
            if (segment.tile === tile && segment.block === block) {
                state.field = segment.field;
                state.point = point.slice();
                byId("field").value = segment.field;
                fillDeeper(shown);
                showBlock(shown, choose);
                tellOfPoint(shown);
            }
            showMessages(shown, choose);
        },
    };
    return choose;
}
