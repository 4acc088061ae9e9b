;;; emacs.el --- run in Emacs by hooks.sh: waits until $SPEC has diagnostics, and prints them  -*- lexical-binding: t -*-

(find-file (getenv "SPEC"))
(remove-hook 'flymake-diagnostic-functions #'flymake-proc-legacy-flymake)
(halogen-flymake-setup)
(flymake-mode 1)
;; Twice, as when one saves twice: the first run is out of date then, and must say nothing.
(flymake-start)
(flymake-start)
(let ((limit (+ (float-time) 20)))
  (while (and (null (flymake-diagnostics)) (< (float-time) limit))
    (accept-process-output nil 0.05)))

(defun byte-column (place)
  (save-excursion
    (goto-char place)
    (1+ (- (position-bytes place) (position-bytes (line-beginning-position))))))

(dolist (d (flymake-diagnostics))
  (let ((text (flymake-diagnostic-text d)))
    (princ (format "%d:%d-%d %s %s %s\n" (line-number-at-pos (flymake-diagnostic-beg d))
                   (byte-column (flymake-diagnostic-beg d)) (byte-column (flymake-diagnostic-end d))
                   (substring (symbol-name (flymake-diagnostic-type d)) 1)
                   (replace-regexp-in-string ".*\\[\\(.*\\)\\]$" "\\1" text)
                   (replace-regexp-in-string " \\[HG[0-9]*\\]$" "" text)))))
