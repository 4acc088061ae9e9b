#include "observe/stats_json.h"

#include "base/json.h"

#include <stdio.h>

static double percent(double part, double whole)
{
    return whole > 0.0 ? 100.0 * part / whole : 0.0;
}

/* Numbers are never negative; hxi_json_seconds writes those that have a point. */
static void add_balance(const hxi_report *report, hxi_json *json)
{
    const double most = report->slowest >= 0 ? report->rank[report->slowest].work : 0.0;
    hxi_json_open(json, "balance", '{');
    hxi_json_number(json, "slowest", report->slowest);
    hxi_json_seconds(json, "most_work_seconds", most);
    hxi_json_seconds(json, "mean_work_seconds", report->work);
    hxi_json_seconds(json, "imbalance_percent", percent(most - report->work, report->seconds));
    hxi_json_seconds(json, "saved_seconds", most - report->work);
    hxi_json_seconds(json, "late_percent", percent(report->late, report->seconds));
    hxi_json_seconds(json, "transfer_percent", percent(report->wait - report->late, report->seconds));
    hxi_json_close(json, '}');
}

static void add_awaited(const hxi_report *report, hxi_json *json)
{
    hxi_json_open(json, "awaited", '[');
    for (int rank = hxi_report_next(report, -1); rank >= 0; rank = hxi_report_next(report, rank)) {
        const double slower = hxi_report_slower(report, rank);
        hxi_json_open(json, NULL, '{');
        hxi_json_number(json, "rank", rank);
        hxi_json_seconds(json, "seconds", report->rank[rank].blame);
        hxi_json_seconds(json, "slower_percent", slower > 0.0 ? 100.0 * slower : 0.0);
        hxi_json_close(json, '}');
    }
    hxi_json_close(json, ']');
}

static void add_copying(const hxi_report *report, hxi_json *json)
{
    hxi_json_open(json, "copying", '{');
    hxi_json_number(json, "bytes_per_second", (int64_t)report->reached);
    hxi_json_number(json, "memcpy_bytes_per_second", (int64_t)report->copy_rate);
    hxi_json_seconds(json, "percent", percent(report->reached, report->copy_rate));
    hxi_json_close(json, '}');
}

/* ---- ranks --------------------------------------------------------------------------------------------- */

static void add_known(hxi_json *json, const char *key, uint64_t sampled, double seconds)
{
    if (sampled > 0) {
        hxi_json_seconds(json, key, seconds);
    } else {
        hxi_json_value(json, key, "null");
    }
}

static void add_counts(const hxi_exchange_counts *c, int rank, hxi_json *json)
{
    hxi_json_open(json, NULL, '{');
    hxi_json_number(json, "rank", rank);
    hxi_json_number(json, "times", (int64_t)c->count);
    hxi_json_number(json, "messages", c->messages);
    hxi_json_number(json, "bytes_sent", c->bytes_sent);
    hxi_json_number(json, "bytes_copied", c->bytes_copied);
    hxi_json_seconds(json, "every_seconds", c->count > 1 ? c->last - c->first : 0.0);
    hxi_json_seconds(json, "pack_seconds", c->pack);
    hxi_json_seconds(json, "copy_seconds", c->copy);
    hxi_json_seconds(json, "wait_seconds", c->wait);
    add_known(json, "late_seconds", c->sampled, c->late);
    add_known(json, "transfer_seconds", c->sampled, c->wait - c->late);
    hxi_json_seconds(json, "unpack_seconds", c->unpack);
    hxi_json_seconds(json, "device_seconds", c->device);
    hxi_json_number(json, "sampled", (int64_t)c->sampled);
    hxi_json_number(json, "timed", (int64_t)c->timed);
    hxi_json_close(json, '}');
}

static void add_exchange(const hxi_report *report, int exchange, hxi_json *json)
{
    hxi_json_open(json, NULL, '{');
    hxi_json_string(json, "name", report->exchange[exchange].name);
    hxi_json_number(json, "line", report->exchange[exchange].line);
    hxi_json_open(json, "ranks", '[');
    for (int r = 0; r < report->ranks; ++r) {
        if (report->rank[r].counts) {
            add_counts(&report->rank[r].exchange[exchange], r, json);
        }
    }
    hxi_json_close(json, ']');
    hxi_json_close(json, '}');
}

static void add_rank(const hxi_rank_report *rank_report, int rank, hxi_json *json)
{
    hxi_json_open(json, NULL, '{');
    hxi_json_number(json, "rank", rank);
    hxi_json_seconds(json, "seconds", rank_report->counts->last - rank_report->counts->first);
    hxi_json_seconds(json, "work_seconds", rank_report->work);
    hxi_json_seconds(json, "wait_seconds", rank_report->counts->wait);
    hxi_json_seconds(json, "late_seconds", rank_report->counts->late);
    hxi_json_seconds(json, "awaited_seconds", rank_report->blame);
    hxi_json_close(json, '}');
}

/* ---- the whole ----------------------------------------------------------------------------------------- */

void hxi_table_json_write(const hxi_report *report, hxi_text *text)
{
    char hash[17];
    hxi_json json = {.text = *text};
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)report->hash);
    hxi_json_open(&json, NULL, '{');
    hxi_json_string(&json, "format", "halogen-statistics");
    hxi_json_number(&json, "version", 1);
    hxi_json_string(&json, "spec", report->spec);
    hxi_json_string(&json, "file", report->file);
    hxi_json_string(&json, "hash", hash);
    hxi_json_number(&json, "ranks", report->ranks);
    hxi_json_number(&json, "silent", report->silent);
    hxi_json_seconds(&json, "seconds", report->seconds);
    hxi_json_seconds(&json, "clock_uncertain_seconds", report->uncertain);
    add_balance(report, &json);
    add_awaited(report, &json);
    add_copying(report, &json);
    hxi_json_open(&json, "of_ranks", '[');
    for (int r = 0; r < report->ranks; ++r) {
        if (report->rank[r].counts) {
            add_rank(&report->rank[r], r, &json);
        }
    }
    hxi_json_close(&json, ']');
    hxi_json_open(&json, "exchanges", '[');
    for (int e = 0; e < report->exchanges; ++e) {
        add_exchange(report, e, &json);
    }
    hxi_json_close(&json, ']');
    hxi_json_close(&json, '}');
    *text = json.text;
}
