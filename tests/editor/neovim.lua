-- Run in Neovim by hooks.sh: waits until a buffer has diagnostics, and writes them to $SHOWN.

local words = { "error", "warning", "note" }

vim.wait(20000, function() return #vim.diagnostic.get(0) > 0 end, 10)
local out = {}
for i, d in ipairs(vim.diagnostic.get(0)) do
  out[i] = ("%d:%d-%d %s %s %s"):format(d.lnum + 1, d.col + 1, d.end_col + 1, words[d.severity], d.code, d.message:match "[^\n]*")
end
vim.fn.writefile(out, os.getenv "SHOWN")
vim.cmd "quitall!"
