-- JSON that others wrote: values, escapes, and where it is wrong.

local case = require "case"
local json = require "explain.json"
local json_read = require "explain.json_read"

local function parse(text)
  return assert(json_read.parse(text))
end

case("values of every kind", function()
  local found = parse ' {"a": [1, -2.5, 1e3, true, false, null, "x"], "b": {}, "c": []}\n'
  local a = found.a
  assert(a[1] == 1 and math.type(a[1]) == "integer" and a[2] == -2.5 and a[3] == 1000.0)
  assert(a[4] == true and a[5] == false and a[6] == json.null and a[7] == "x")
  assert(next(found.b) == nil and next(found.c) == nil)
end)

case("escapes in strings", function()
  assert(parse [["a\"\\\/\n\u00e9\ud83d\ude00"]] == 'a"\\/\n\u{e9}\u{1f600}')
end)

case("what is written is read again", function()
  local value = { list = { 1, 2, 3 }, text = 'line\nand "quotes"', deep = { { { "x" } } }, number = 0.1 }
  assert(json.text(parse(json.text(value))) == json.text(value))
end)

case("each byte that is no UTF-8 is written as U+FFFD", function()
  for text, written in pairs {
    ["d\xc3\xa9j\xc3\xa0"] = "d\xc3\xa9j\xc3\xa0", -- two bytes
    ["\xe2\x82\xac\xf0\x9f\x98\x80"] = "\xe2\x82\xac\xf0\x9f\x98\x80", -- three and four
    ["\xe9t\xe9"] = "\\ufffdt\\ufffd", -- Latin-1
    ["a\xc3"] = "a\\ufffd", -- cut
    ["\xed\xa0\x80"] = "\\ufffd\\ufffd\\ufffd", -- half of a surrogate
    ["\xc0\xaf"] = "\\ufffd\\ufffd", -- longer than it has to be
    ["\xf4\x90\x80\x80!"] = "\\ufffd\\ufffd\\ufffd\\ufffd!", -- beyond Unicode
  } do
    assert(json.text { text } == '["' .. written .. '"]\n', json.text { text })
  end
end)

case("what is wrong is told with its line", function()
  for text, sentence in pairs {
    ['{"a": 1,\n"b" 2}'] = "line 2: no colon behind 'b'",
    ["[1 2]"] = "line 1: '2' where a comma or ']' belongs",
    ["[1]\n]"] = "line 2: ']' behind the end",
    ['"abc'] = "line 1: a string without its end",
    ['"\\x"'] = "line 1: \\x in a string",
    ['"\\u12"'] = "line 1: \\u without four digits",
    ['"\t"'] = "line 1: a control character in a string",
    ["{1: 2}"] = "line 1: a name in quotes is missing",
    ["nil"] = "line 1: 'nil' is no value",
    ["-1e999"] = "line 1: '-1e999' is no value",
    ["[}"] = "line 1: '}' is no value",
    [""] = "line 1: it ends where a value belongs",
    [("["):rep(100)] = "line 1: lists in lists without an end",
  } do
    local found, said = json_read.parse(text)
    assert(found == nil and said == sentence, ("%s: %s"):format(text, said))
  end
end)
