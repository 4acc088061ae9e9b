// What is told of the point that is pointed at: whose it is, how it comes, and where it goes.

import { bytesOfPointIn } from "../model/answer.js";
import { byId, html, show } from "../view/svg.js";
import { FILLS, PATHS, blockWords, count, grouped, pointWords } from "../view/words.js";
import { foundAt } from "./place.js";

const signWords = (sign) => (sign < 0 ? ", with its sign changed" : "");

// What a fill of the exchange, as corners = "x", puts where no tile lies.
function fillLine({ spec }, { axis, field, point, sign }) {
    return [`corners "${axis}"`, `filled when asked, from ${spec.field[field].name}${pointWords(point)}${signWords(sign)}`];
}

// The owned point that feeds a ghost point.
function sourceWords(spec, segment, point) {
    const source = segment.axis.map(
        (axis, s) => segment.sourceFirst[s] + segment.turn[s] * (point[axis] - segment.lo[axis]),
    );
    return `${spec.field[segment.sourceField].name}${pointWords(source)}${signWords(segment.sign)}`;
}

// Where it lies in its message.
function bytesWordsOf(spec, { segment, message }, point) {
    if (message.kind === "within") return "none: it is copied within the rank";
    const bytes = bytesOfPointIn(spec, segment, point);
    const spread = bytes.length > 1 ? `, and ${count(bytes.length - 1, "more component")} behind` : "";
    const which = `the one ${message.kind === "sent" ? "to" : "from"} rank ${message.peer}`;
    const number = `segment ${message.segments.indexOf(segment)} of ${message.segments.length}`;
    return `${which}, ${number}, bytes ${grouped(bytes[0].first)} to ${grouped(bytes[0].end - 1)}${spread}`;
}

function ghostLines({ spec, state, answer }, found) {
    const { segment } = found;
    const { fromRank, toRank, sourceTile, sourceBlock } = segment;
    return [
        ["owner", `rank ${fromRank}, ${blockWords(spec, sourceTile, sourceBlock)}`],
        ["its point", sourceWords(spec, segment, state.point)],
        ["way", PATHS[answer.path(state.exchange, fromRank, toRank)]],
        ["message", bytesWordsOf(spec, found, state.point)],
    ];
}

function ownedLines({ state }, { uses }) {
    const to = new Set(uses.map((use) => `rank ${use.message.kind === "within" ? state.rank : use.message.peer}`));
    return [
        ["owner", `rank ${state.rank}, here`],
        ["goes to", to.size > 0 ? [...to].join(", ") : "nobody"],
    ];
}

function linesOf(shown, found) {
    switch (found.kind) {
        case "ghost":
            return ghostLines(shown, found);
        case "owned":
            return ownedLines(shown, found);
        case "wall":
            return [
                ["owner", "nobody: a wall"],
                ["filled with", FILLS[found.fill]],
            ];
        case "corner":
            return [["owner", "nobody: no tile lies here"], ...found.fills.map((fill) => fillLine(shown, fill))];
        default:
            return [["owner", "nobody: this exchange leaves it alone"]];
    }
}

// A ghost point chooses its segment and its message, too.
export function tellOfPoint(shown) {
    const { spec, state, answer } = shown;
    const found = foundAt(shown, state.point);
    const lines = [["point", `${spec.field[state.field].name}${pointWords(state.point)}`], ...linesOf(shown, found)];
    show(byId("told"), ...lines.flatMap(([term, words]) => [html("dt", {}, term), html("dd", {}, words)]));
    const isGhost = found.kind === "ghost";
    state.segment = isGhost ? found.segment : null;
    state.pointed = isGhost ? state.point.slice() : null;
    if (isGhost) state.message = answer.messages(state.exchange, state.rank).indexOf(found.message);
}
