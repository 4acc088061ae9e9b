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

/* Bytes beyond ASCII stay as they are: sources are UTF-8. */
void hxi_json_string(hxi_json *json, const char *key, const char *value)
{
    if (!value) {
        hxi_json_value(json, key, "null");
        return;
    }
    begin(json, key);
    hxi_text_add(&json->text, "\"");
    for (const char *at = value; *at != '\0'; ++at) {
        const unsigned char letter = (unsigned char)*at;
        if (letter == '"' || letter == '\\') {
            hxi_text_add(&json->text, "\\%c", letter);
        } else if (letter < ' ') {
            hxi_text_add(&json->text, "\\u%04x", letter);
        } else {
            hxi_text_add(&json->text, "%c", letter);
        }
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
