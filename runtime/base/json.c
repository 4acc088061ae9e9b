#include "base/json.h"

/* What stands between the value before and this one, and its key. */
static void begin(hxi_json *json, const char *key)
{
    hxi_text_add(&json->text, "%s", json->follows ? ", " : "");
    if (key) {
        hxi_text_add(&json->text, "\"%s\": ", key);
    }
    json->follows = true;
}

void hxi_json_open(hxi_json *json, const char *key, char bracket)
{
    begin(json, key);
    hxi_text_add(&json->text, "%c", bracket);
    json->follows = false;
}

void hxi_json_close(hxi_json *json, char bracket)
{
    hxi_text_add(&json->text, "%c", bracket);
    json->follows = true;
}

void hxi_json_value(hxi_json *json, const char *key, const char *value)
{
    begin(json, key);
    hxi_text_add(&json->text, "%s", value);
}

/* Of the character of UTF-8 that begins there; 0: there is none. */
static int bytes_of_character(const unsigned char *at)
{
    static const struct {
        unsigned char first, last; /* that it may begin with */
        /* What may follow: shorter forms, surrogates and what lies above Unicode may not. */
        unsigned char low, high;
        int bytes;
    } forms[] = {{0x01, 0x7F, 0, 0, 1},       {0xC2, 0xDF, 0x80, 0xBF, 2}, {0xE0, 0xE0, 0xA0, 0xBF, 3},
                 {0xE1, 0xEC, 0x80, 0xBF, 3}, {0xED, 0xED, 0x80, 0x9F, 3}, {0xEE, 0xEF, 0x80, 0xBF, 3},
                 {0xF0, 0xF0, 0x90, 0xBF, 4}, {0xF1, 0xF3, 0x80, 0xBF, 4}, {0xF4, 0xF4, 0x80, 0x8F, 4}};
    size_t form = 0;
    while (form < sizeof forms / sizeof forms[0] && (at[0] < forms[form].first || at[0] > forms[form].last)) {
        ++form;
    }
    if (form == sizeof forms / sizeof forms[0]) {
        return 0;
    }
    for (int i = 1; i < forms[form].bytes; ++i) {
        if (at[i] < (i == 1 ? forms[form].low : 0x80) || at[i] > (i == 1 ? forms[form].high : 0xBF)) {
            return 0;
        }
    }
    return forms[form].bytes;
}

/* Names of files may have bytes that are not UTF-8.  Each becomes U+FFFD, as in what halogen writes. */
void hxi_json_string(hxi_json *json, const char *key, const char *value)
{
    if (!value) {
        hxi_json_value(json, key, "null");
        return;
    }
    begin(json, key);
    hxi_text_add(&json->text, "\"");
    for (const char *at = value; *at != '\0';) {
        const unsigned char letter = (unsigned char)*at;
        const int bytes = bytes_of_character((const unsigned char *)at);
        if (letter == '"' || letter == '\\') {
            hxi_text_add(&json->text, "\\%c", letter);
        } else if (letter < ' ') {
            hxi_text_add(&json->text, "\\u%04x", letter);
        } else if (bytes == 0) {
            hxi_text_add(&json->text, "\\ufffd");
        } else {
            hxi_text_add(&json->text, "%.*s", bytes, at);
        }
        at += bytes > 0 ? bytes : 1;
    }
    hxi_text_add(&json->text, "\"");
}

void hxi_json_number(hxi_json *json, const char *key, int64_t value)
{
    begin(json, key);
    hxi_text_add(&json->text, "%lld", (long long)value);
}

void hxi_json_bool(hxi_json *json, const char *key, bool value)
{
    hxi_json_value(json, key, value ? "true" : "false");
}

void hxi_json_seconds(hxi_json *json, const char *key, double value)
{
    const double most = 9.0e9; /* 285 years; a clock that is wrong gives no undefined number */
    const double kept = value >= 0.0 && value <= most ? value : 0.0;
    const long long nanoseconds = (long long)(kept * 1.0e9 + 0.5);
    begin(json, key);
    hxi_text_add(&json->text, "%lld.%09lld", nanoseconds / 1000000000, nanoseconds % 1000000000);
}

void hxi_json_numbers(hxi_json *json, const char *key, const int value[], int count)
{
    hxi_json_open(json, key, '[');
    for (int i = 0; i < count; ++i) {
        hxi_json_number(json, NULL, value[i]);
    }
    hxi_json_close(json, ']');
}
