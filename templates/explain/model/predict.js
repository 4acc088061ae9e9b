// How long an exchange takes on the machine of --machine, in microseconds: gen/lua/explain/predict.lua, in the page.

import { blocksOf } from "./layout.js";
import { arrayBytes, runsOf } from "./runs.js";

export const PARTS = ["latency", "pack", "send", "copy", "wait", "unpack"];
const PATHS = ["shared", "network", "device"];

// ---- costs --------------------------------------------------------------------------------------------------------

function byteNs(line, ranks) {
    const shared = line.node_gigabytes_per_second ? ranks / line.node_gigabytes_per_second : 0;
    return Math.max(1 / line.gigabytes_per_second, shared);
}

// Two neighboring lines around a size, and how far it lies from the first to the second.
function around(lines, kib) {
    const last = lines.length - 1;
    if (last === 0 || kib <= lines[0].kib) return [lines[0], lines[0], 0];
    if (kib >= lines[last].kib) return [lines[last], lines[last], 0];
    const above = lines.findIndex((line) => kib <= line.kib);
    const [low, high] = [lines[above - 1], lines[above]];
    return [low, high, Math.log(kib / low.kib) / Math.log(high.kib / low.kib)];
}

// Of lines for several sizes: the cost(line) at a size.
function costAt(lines, kib, cost) {
    const [low, high, share] = around(lines, kib);
    return cost(low) + share * (cost(high) - cost(low));
}

// What a link, a run and a byte cost within the rank, in microseconds.
function selfCosts(machine, at) {
    if (at.onDevice) return { link: 0, run: 0, byte: 1e-3 / machine.device.gigabytes_per_second };
    return {
        link: costAt(machine.self, at.kib, (line) => line.latency_us),
        run: 1e-3 * costAt(machine.self, at.kib, (line) => line.run_ns || 0),
        byte: 1e-3 * costAt(machine.self, at.kib, (line) => byteNs(line, at.ranksOfNode)),
    };
}

// What a message, a run and a byte cost on a path to other ranks.
function pathCosts(lines, at) {
    return {
        latency: costAt(lines, at.kib, (line) => line.latency_us),
        run: 1e-3 * costAt(lines, at.kib, (line) => line.run_ns || 0),
        byte: 1e-3 * costAt(lines, at.kib, (line) => 1 / line.gigabytes_per_second),
    };
}

// Of all paths that the machine has.  From device to device the kernel that packs has moved the bytes.
function costsOf(machine, at) {
    return {
        self: selfCosts(machine, at),
        shared: machine.shared && pathCosts(machine.shared, at),
        network: machine.network && pathCosts([machine.network], at),
        device: machine.device && { latency: machine.device.latency_us, run: 0, byte: 0 },
    };
}

// ---- a phase ------------------------------------------------------------------------------------------------------

const sumOf = (messages, count) => messages.reduce((all, message, i) => all + count(message, i), 0);

// Of points that are packed, unpacked or copied; ends: of each link, how many lie in the rank.  A device takes one kernel for all.
function touch(at, costs, messages, ends) {
    const bytes = costs.self.byte * sumOf(messages, (m) => m.bytes);
    if (messages.length === 0) return 0;
    if (at.onDevice) return costs.device.latency + bytes;
    const links = costs.self.link * sumOf(messages, (m) => m.segments.length);
    return links + costs.self.run * ends * sumOf(messages, (m) => m.runs) + bytes;
}

const LINE = 64; // bytes that come from another processor at once

// The same of messages.  A box that ranks share has to come from the other processor, line by line where runs are short; a processor
// foresees the lines of a long one.
function touchMessages(at, costs, messages) {
    const shared = messages.filter((m) => m.path === "shared");
    const ofBoxes = shared.length > 0 ? (costs.shared.run * sumOf(shared, (m) => m.near)) / LINE : 0;
    return touch(at, costs, messages, 1) + ofBoxes;
}

const ASKED = 2; // latencies that a long message takes before its bytes travel: its sender asks for room, and is answered

// By the network, through the uplinks of nodes and switches.  Ranks share these, and wait for each other, so the uplink with the most
// bytes counts.
function throughNetwork(machine, at, costs, messages) {
    const crossed = (machine.uplink || []).slice(0, Math.max(...messages.map((m) => m.uplinks)));
    const latency = crossed.reduce((sum, line) => sum + (line.latency_us || 0), costs.network.latency);
    const shared = crossed.map((line, i) => (1e-3 * at.crossing(i, messages[0].phase)) / line.gigabytes_per_second);
    const eager = machine.network.eager_kib === undefined ? Infinity : 1024 * machine.network.eager_kib;
    const asked = messages.some((m) => m.bytes > eager) ? ASKED : 0;
    return (1 + asked) * latency + Math.max(costs.network.byte * sumOf(messages, (m) => m.bytes), ...shared);
}

// From the last send until everything has come.
function transfer(machine, at, costs, received) {
    const times = PATHS.map((path) => {
        const messages = received.filter((m) => m.path === path);
        if (messages.length === 0) return 0;
        if (path === "network") return throughNetwork(machine, at, costs, messages);
        return costs[path].latency + costs[path].byte * sumOf(messages, (m) => m.bytes);
    });
    return Math.max(...times);
}

function addPhase(machine, messages, at, costs, out) {
    const of = (kind) => messages.filter((m) => m.kind === kind);
    const copy = touch(at, costs, of("within"), 2);
    const overNetwork = of("sent").filter((m) => m.path === "network").length;
    out.pack += touchMessages(at, costs, of("sent"));
    out.send += overNetwork > 0 ? (machine.network.send_us || 0) * overNetwork : 0;
    out.copy += copy;
    out.wait += Math.max(0, transfer(machine, at, costs, of("received")) - copy);
    out.unpack += touchMessages(at, costs, of("received"));
}

// ---- uplinks ------------------------------------------------------------------------------------------------------

// Which of those that share an uplink a rank is among.
const groupOf = (question, line, rank) => Math.floor(rank / (line.nodes * question.perNode));

// The uplinks that lie between two ranks.
function uplinksBetween(question, rank, peer) {
    const apart = (line) => groupOf(question, line, rank) !== groupOf(question, line, peer);
    return (question.machine.uplink || []).filter(apart).length;
}

// Of an uplink: by phase the most bytes that some group sends, or receives.
function mostCrossing(answer, exchange, line) {
    const sums = new Map();
    const most = new Map();
    const add = (phase, side, bytes) => {
        const key = `${phase} ${side}`;
        sums.set(key, (sums.get(key) || 0) + bytes);
        most.set(phase, Math.max(most.get(phase) || 0, sums.get(key)));
    };
    for (let rank = 0; rank < answer.layout.ranks; ++rank) {
        for (const m of answer.messages(exchange, rank).filter((m) => m.kind === "received")) {
            const [here, there] = [rank, m.peer].map((r) => groupOf(answer.question, line, r));
            if (here === there) continue;
            add(m.phase, `into ${here}`, m.bytes);
            add(m.phase, `out of ${there}`, m.bytes);
        }
    }
    return most;
}

// ---- an exchange --------------------------------------------------------------------------------------------------

function situation(answer, exchange, rank) {
    const { spec, layout, question } = answer;
    const items = spec.exchange[exchange].field;
    const bytes = blocksOf(layout, rank).reduce(
        (sum, at) => items.reduce((inner, item) => inner + arrayBytes(layout, item.field, at), sum),
        0,
    );
    return {
        kib: bytes / 1024,
        ranksOfNode: Math.min(question.perNode, layout.ranks),
        onDevice: items.some((item) => spec.field[item.field].on_device),
        crossing: (i, phase) =>
            answer.once(`uplink ${i} of ${exchange}`, () => mostCrossing(answer, exchange, question.machine.uplink[i])).get(phase),
    };
}

// Of a rank: { microseconds, and each of PARTS }, or { lacks: a path of which the machine says nothing }; null without a machine.
export function predict(answer, exchange, rank) {
    const { machine } = answer.question;
    if (!machine) return null;
    const at = situation(answer, exchange, rank);
    const messages = answer.messages(exchange, rank).map((m) => {
        const runs = m.segments.map((s) => runsOf(answer.layout, s, rank));
        return {
            ...m,
            path: m.kind === "within" ? "self" : answer.path(exchange, rank, m.peer),
            uplinks: uplinksBetween(answer.question, rank, m.peer),
            runs: sumOf(runs, (n) => n),
            near: sumOf(m.segments, (s, i) => Math.min(s.bytes, LINE * runs[i])),
        };
    });
    const lacking = messages.find((m) => !machine[m.path]);
    if (at.onDevice && !machine.device) return { lacks: "device" };
    if (lacking) return { lacks: lacking.path };
    const out = { latency: machine.exchange ? machine.exchange.latency_us : 0, pack: 0, send: 0, copy: 0, wait: 0, unpack: 0 };
    const costs = costsOf(machine, at);
    for (const phase of new Set(messages.map((m) => m.phase))) {
        addPhase(machine, messages.filter((m) => m.phase === phase), at, costs, out);
    }
    return { ...out, microseconds: PARTS.reduce((sum, part) => sum + out[part], 0) };
}
