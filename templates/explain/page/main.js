// The page: controls, pictures, and what happens when something is chosen.

import { fieldBox, summaryOf } from "../model/answer.js";
import { layoutCells } from "../model/layout.js";
import { questionOfRun } from "../model/run.js";
import { sendsBack } from "../model/segments.js";
import { blockPicture, markCell, step } from "./block.js";
import { fillControls, fillDeeper, fillOptions, readCells, readNumber } from "./controls.js";
import { explodedPicture } from "./exploded.js";
import { globePicture, isGlobe, turnTo } from "./globe.js";
import { graphPicture, graphRows } from "./graph.js";
import { mapPicture } from "./map.js";
import { matrixPicture, traffic } from "./matrix.js";
import { ghostWords, messagePicture, messageRows, messageTitle } from "./message.js";
import { measuredPicture, measuredTable, transportTable } from "./measured.js";
import { predictedPicture, predictedTable, predictedWords } from "./predicted.js";
import { byDirection, neighborRows, neighborsPicture } from "./neighbors.js";
import { savePicture } from "./save.js";
import { answerOf, firstState, fromAddress, settle, toAddress } from "./state.js";
import { byId, html, show, table } from "./svg.js";
import {
    FILLS,
    PATHS,
    blockWords,
    bytesWords,
    directionWords,
    grouped,
    operationWords,
    percent,
    pointWords,
} from "./words.js";

const { spec, run, ...given } = JSON.parse(byId("data").textContent);
const question = run ? questionOfRun(spec, run) : given.question;
const state = question ? firstState(spec, question) : null; // a list of points has none
let answer = null;

// ---- pictures -----------------------------------------------------------------------------------------------------

function boxes() {
    const { tile, block } = state.blocks[state.block];
    return fieldBox(spec, state.field, layoutCells(answer.layout, tile, block).cells);
}

function here() {
    return answer.at(state.exchange, state.field, state.blocks[state.block], state.point);
}

function showSummary() {
    const s = summaryOf(answer, state.exchange, state.rank);
    const parts = answer.layout.tiles[0].parts.join(" × ");
    const cards = [
        [`${parts}${spec.tiles > 1 ? ` on each of ${spec.tiles} tiles` : ""}`, "process grid"],
        [String(s.peers), s.peers === 1 ? "peer" : "peers"],
        [`${s.sent} / ${s.received}`, "messages sent / received"],
        [`${bytesWords(s.sentBytes)} / ${bytesWords(s.receivedBytes)}`, "bytes sent / received"],
        [bytesWords(s.withinBytes), "copied within the rank"],
        [percent(s.haloShare), "of the memory is halo"],
    ];
    if (answer.question.machine) cards.push([predictedWords(answer, state.exchange, state.rank), "predicted time"]);
    show(
        byId("summary"),
        ...cards.map(([number, words]) =>
            html("div", { class: "card" }, html("strong", {}, number), html("span", {}, words)),
        ),
    );
    byId("what").textContent =
        `${spec.exchange[state.exchange].name} ${operationWords(spec.exchange[state.exchange].operation)}.`;
}

function showBlock() {
    const made = blockPicture(answer, state, pointAt);
    show(byId("block-place"), made);
    const looks = (d) => {
        if (d.every((n) => n === 0)) return { class: "interior", words: `rank ${state.rank}` };
        const { owned } = boxes();
        const point = d.map((n, a) => (n < 0 ? -1 : n > 0 ? owned.hi[a] : Math.floor(owned.hi[a] / 2)));
        const found = answer.at(state.exchange, state.field, state.blocks[state.block], point);
        if (found.kind === "ghost") {
            const path = answer.path(state.exchange, found.segment.fromRank, found.segment.toRank);
            return { class: `ghost ${path}`, words: `rank ${found.segment.fromRank}, ${PATHS[path]}` };
        }
        if (found.kind === "wall")
            return {
                class: `wall ${found.fill === "none" ? "empty" : "filled"}`,
                words: `behind a wall: ${FILLS[found.fill]}`,
            };
        return { class: "none", words: "left alone" };
    };
    if (spec.axes === 3) {
        const { owned } = boxes();
        const chosen = state.point.map((p, a) => (p < 0 ? -1 : p >= owned.hi[a] ? 1 : 0));
        show(
            byId("exploded-place"),
            explodedPicture(spec, looks, chosen, (d) => {
                state.point = d.map((n, a) => (n < 0 ? -1 : n > 0 ? owned.hi[a] : Math.floor(owned.hi[a] / 2)));
                draw();
            }),
        );
    }
    byId("exploded-figure").hidden = spec.axes !== 3;
    const rows = byDirection(answer, state).map(({ direction, peers }) => [
        directionWords(spec, direction),
        peers.length > 0 ? peers.map((p) => p.rank).join(", ") : looks(direction).words,
        [...new Set(peers.map((p) => PATHS[p.path]))].join(", ") || "–",
        bytesWords(peers.reduce((sum, p) => sum + p.bytes, 0)),
    ]);
    show(
        byId("block-table"),
        table(
            `Directions of ${spec.exchange[state.exchange].name}, all its fields`,
            ["direction", "fed by rank", "path", "bytes"],
            rows,
        ),
    );
}

function showNeighbors() {
    show(
        byId("neighbors-place"),
        neighborsPicture(answer, state, {
            choose: (peer) => showMessage(peer.message, peer.segment, peer.segment.lo),
            nobody: (d) => {
                const { owned } = boxes();
                const found = answer.at(
                    state.exchange,
                    state.field,
                    state.blocks[state.block],
                    d.map((n, a) => (n < 0 ? -1 : n > 0 ? owned.hi[a] : 0)),
                );
                return found.kind === "wall"
                    ? `wall: ${found.fill === "none" ? "not filled" : found.fill}`
                    : found.kind === "corner"
                      ? "no tile here"
                      : "nobody";
            },
        }),
    );
    show(
        byId("neighbors-table"),
        table(
            `Who feeds ${blockWords(spec, state.blocks[state.block].tile, state.blocks[state.block].block)} of rank ${state.rank}`,
            ["direction", "rank", "block", "path", "bytes", "axes turned"],
            neighborRows(answer, state),
        ),
    );
}

function chooseRank(rank, tile, block) {
    state.rank = rank;
    settle(spec, state, answer);
    const found = state.blocks.findIndex((b) => b.tile === tile && b.block === block);
    state.block = Math.max(0, found);
    draw();
}

function showMap() {
    show(byId("map-place"), mapPicture(answer, state, chooseRank));
    byId("globe-figure").hidden = !isGlobe(spec);
    if (isGlobe(spec)) {
        state.turn = turnTo(answer, state.blocks[state.block]);
        showGlobe();
    }
    const graph = spec.tiles > 1 || spec.kind === "tiles";
    byId("graph-figure").hidden = !graph;
    if (graph) {
        show(
            byId("graph-place"),
            graphPicture(spec, state.blocks[state.block].tile, (tile) =>
                chooseRank(answer.layout.owners[answer.layout.tiles[tile].first], tile, 0),
            ),
        );
    }
    const rows = [...new Set(answer.layout.owners)]
        .sort((x, y) => x - y)
        .slice(0, 256)
        .map((rank) => {
            const s = summaryOf(answer, state.exchange, rank);
            return [
                String(rank),
                s.blocks.map((b) => blockWords(spec, b.tile, b.block)).join("; "),
                grouped(s.peers),
                bytesWords(s.sentBytes),
                bytesWords(s.receivedBytes),
            ];
        });
    const chosen = rows.findIndex((r) => r[0] === String(state.rank));
    show(
        byId("map-table"),
        table("Ranks", ["rank", "blocks", "peers", "sent", "received"], rows, chosen, (r) =>
            chooseRank(Number(rows[r][0])),
        ),
    );
    if (graph) show(byId("graph-table"), table("Sides that meet", ["side", "meets", "axes"], graphRows(spec)));
}

function showGlobe() {
    show(byId("globe-place"), globePicture(answer, state, state.turn, chooseRank));
}

function showMessages() {
    const messages = answer.messages(state.exchange, state.rank);
    if (state.message >= messages.length) state.message = 0;
    fillOptions(
        byId("message"),
        messages.map((m, i) => [i, `${answer.phases(state.exchange) ? `phase ${m.phase}, ` : ""}${messageTitle(m)}`]),
        state.message,
    );
    const message = messages[state.message];
    byId("message-section").hidden = !message;
    if (!message) return;
    show(
        byId("message-place"),
        messagePicture(answer, state, message, {
            segment: (segment) => showMessage(message, segment, segment.lo),
            point: (segment, point) => showMessage(message, segment, point),
        }),
    );
    const chosen = message.segments.indexOf(state.segment);
    show(
        byId("message-table"),
        table(
            `Segments: ${messageTitle(message)}`,
            ["segment", "field", "direction", "first byte", "bytes", "points"],
            messageRows(answer, message),
            chosen,
            (i) => showMessage(message, message.segments[i], message.segments[i].lo),
        ),
    );
}

// Shows a segment at a point of it.  Where the point is a ghost point of the block that is shown, the block shows it, too.
function showMessage(message, segment, point) {
    const { tile, block } = state.blocks[state.block];
    state.message = answer.messages(state.exchange, state.rank).indexOf(message);
    state.segment = segment;
    state.pointed = point;
    if (segment.tile === tile && segment.block === block) {
        state.field = segment.field;
        state.point = point.slice();
        byId("field").value = segment.field;
        fillDeeper({ spec, state, answer });
        showBlock();
        tellOfPoint();
    }
    showMessages();
}

function showMatrix() {
    const pairs = traffic(answer, state.exchange, sendsBack(spec.exchange[state.exchange]));
    const made = matrixPicture(answer, state, pairs, (rank) => chooseRank(rank));
    byId("matrix-figure").hidden = made === null;
    if (made) show(byId("matrix-place"), made);
    const rows = pairs
        .filter((p) => p.from === state.rank || p.to === state.rank)
        .map((p) => [`${p.from} → ${p.to}`, PATHS[p.path], grouped(p.bytes)]);
    show(byId("matrix-table"), table(`Bytes from and to rank ${state.rank}`, ["ranks", "path", "bytes"], rows));
}

// Of a page that was made with a machine file.
function showPredicted() {
    const { machine } = answer.question;
    byId("predicted-section").hidden = !machine;
    if (!machine) return;
    const made = predictedPicture(answer, state.exchange, state.rank, (rank) => chooseRank(rank));
    byId("predicted-figure").hidden = made === null;
    if (made) show(byId("predicted-place"), made);
    show(byId("predicted-table"), predictedTable(answer, state.rank));
}

// Of a page that was made from a run: its times and transports in place of what would be.
function showMeasured() {
    byId("measured-section").hidden = !run;
    if (!run) return;
    const { name } = spec.exchange[state.exchange];
    const made = measuredPicture(run, name, state.rank, (rank) => chooseRank(rank));
    byId("measured-figure").hidden = made === null;
    if (made) show(byId("measured-place"), made);
    show(byId("measured-table"), measuredTable(run, spec, state.rank), transportTable(run, name, state.rank));
    byId("measured-host").textContent = run.ranks[state.rank] ? run.ranks[state.rank].host : "a host that is not known";
}

// ---- pointing at a cell ---------------------------------------------------------------------------------------------

function tellOfPoint() {
    const found = here();
    const name = spec.field[state.field].name;
    const lines = [["point", `${name}${pointWords(state.point)}`]];
    if (found.kind === "ghost") {
        const words = ghostWords(answer, state, found, state.point);
        lines.push(["owner", words.owner], ["its point", words.point], ["way", words.way], ["message", words.message]);
    } else if (found.kind === "owned") {
        const to = found.uses.map((use) => `rank ${use.message.kind === "within" ? state.rank : use.message.peer}`);
        lines.push(
            ["owner", `rank ${state.rank}, here`],
            ["goes to", to.length > 0 ? [...new Set(to)].join(", ") : "nobody"],
        );
    } else if (found.kind === "wall") {
        lines.push(["owner", "nobody: a wall"], ["filled with", FILLS[found.fill]]);
    } else {
        lines.push([
            "owner",
            found.kind === "corner" ? "nobody: no tile lies here" : "nobody: this exchange leaves it alone",
        ]);
    }
    show(byId("told"), ...lines.flatMap(([term, words]) => [html("dt", {}, term), html("dd", {}, words)]));
    state.segment = found.kind === "ghost" ? found.segment : null;
    state.pointed = found.kind === "ghost" ? state.point.slice() : null;
    if (found.kind === "ghost") state.message = answer.messages(state.exchange, state.rank).indexOf(found.message);
}

// take: keep it, and show its message; else only tell of it.
function pointAt(point, take) {
    const before = state.segment;
    state.point = point;
    const cell = markCell(byId("block-picture"), point);
    tellOfPoint();
    if (take && cell) cell.focus({ preventScroll: true });
    if (take || before !== state.segment || state.segment) showMessages();
    if (take) history.replaceState(null, "", toAddress(state));
}

// ---- all of it ------------------------------------------------------------------------------------------------------

function say(words) {
    byId("refused").textContent = words;
    byId("refused").hidden = !words;
}

function draw() {
    settle(spec, state, answer);
    fillControls({ spec, run, state, answer });
    showSummary();
    showBlock();
    tellOfPoint();
    showNeighbors();
    showMap();
    showMessages();
    showMatrix();
    showPredicted();
    showMeasured();
    history.replaceState(null, "", toAddress(state));
}

// Asks again; what cannot be is told in words, and the last answer stays.
function ask(change) {
    const before = { ...state.question };
    try {
        change(state.question);
        const fresh = answerOf(spec, state);
        fresh.segments(state.exchange);
        answer = fresh;
        say("");
        draw();
    } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        state.question = before;
        say(error.message);
    }
}

function listen() {
    const on = (id, act) => byId(id).addEventListener("change", () => ask(act));
    on("exchange", () => {
        state.exchange = Number(byId("exchange").value);
        state.segment = null;
    });
    on("field", () => {
        state.field = Number(byId("field").value);
    });
    on("rank", () => {
        state.rank = Number(byId("rank").value);
    });
    on("block", () => {
        state.block = Number(byId("block").value);
    });
    on("ranks", (q) => {
        q.ranks = readNumber("ranks", "ranks");
        q.parts = null;
        q.owners = null;
        q.cuts = null;
        q.nodes = null;
    });
    on("per-node", (q) => {
        q.perNode = readNumber("per-node", "ranks a node");
        q.nodes = null;
    });
    on("schedule", (q) => {
        q.byDimension = byId("schedule").value === "dimension";
    });
    on("cells", (q) => {
        q.cells = readCells(spec, state);
        q.parts = null;
        q.cuts = null;
    });
    on("plane", () => {
        state.plane = byId("plane").value.split(",").map(Number);
    });
    byId("deeper").addEventListener("change", () => {
        for (const input of byId("deeper").querySelectorAll("input"))
            state.point[Number(input.dataset.axis)] = Math.floor(Number(input.value));
        draw();
    });
    byId("message").addEventListener("change", () => {
        const message = answer.messages(state.exchange, state.rank)[Number(byId("message").value)];
        showMessage(message, message.segments[0], message.segments[0].lo);
    });
    byId("block-place").addEventListener("keydown", (event) => {
        const next = step(answer, state, event.key);
        if (!next) return;
        event.preventDefault();
        pointAt(next, true);
    });
    turnByHand(byId("globe-place"));
    for (const made of document.querySelectorAll(".save"))
        made.addEventListener("click", () => savePicture(spec.name, made.dataset.of));
}

// The globe turns by arrow keys and by dragging.
function turnByHand(place) {
    const turn = (east, north) => {
        state.turn.east += east;
        state.turn.north = Math.max(-1.5, Math.min(1.5, state.turn.north + north));
        showGlobe();
    };
    place.addEventListener("keydown", (event) => {
        const by = { ArrowLeft: [-0.15, 0], ArrowRight: [0.15, 0], ArrowUp: [0, 0.15], ArrowDown: [0, -0.15] }[
            event.key
        ];
        if (!by) return;
        event.preventDefault();
        turn(...by);
    });
    place.addEventListener("pointermove", (event) => {
        if (event.buttons === 1) turn(event.movementX / 160, event.movementY / 160);
    });
}

function begin() {
    if (spec.list || spec.exchange.length === 0) {
        byId("main").hidden = true;
        say(
            spec.list
                ? "The grid of this spec is a list of points. Who exchanges what is known when lists are given to create, so there is nothing to draw before a run."
                : "This spec has no exchange.",
        );
        return;
    }
    fromAddress(spec, state, window.location.hash, Boolean(run));
    try {
        answer = answerOf(spec, state);
    } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        say(error.message);
        Object.assign(state, firstState(spec, question)); // the address asks for what cannot be
        answer = answerOf(spec, state);
    }
    listen();
    draw();
    document.documentElement.dataset.ready = "yes";
}

begin();
