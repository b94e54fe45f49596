package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// freshTries is how often WriteFresh tries the next number, should others be
// writing there too.
const freshTries = 100

// WriteFresh puts data into a new file of the folder dir and returns its path:
// STEM-N.EXT, N being one more than that of any STEM-N in the folder. The file is
// for the owner alone (0600), and so is the folder when it has to be made
// (0700). Nothing that is there already is overwritten, and no name leads out of
// dir. A file that could not be written whole is removed.
func WriteFresh(dir, stem, ext string, data []byte) (path string, err error) {
	if err := MkdirPrivate(dir); err != nil {
		return "", err
	}
	root, err := OpenRoot(dir)
	if err != nil {
		return "", err
	}
	defer root.Close()
	n, err := lastNumber(dir, stem)
	if err != nil {
		return "", wrap(dir, err)
	}
	for range freshTries {
		n++
		name := fmt.Sprintf("%s-%d.%s", stem, n, ext)
		path := filepath.Join(dir, name)
		f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", wrap(path, err)
		}
		_, err = f.Write(data)
		if err = errors.Join(err, f.Close()); err != nil {
			return "", wrap(path, errors.Join(err, root.Remove(name)))
		}
		return path, nil
	}
	return "", &Error{Path: dir, What: "others are writing files of the same names there", Do: "Try again"}
}

// lastNumber is the highest N of the names STEM-N, with any ending.
func lastNumber(dir, stem string) (int, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return 0, err
	}
	last := 0
	for _, e := range entries {
		rest, ok := strings.CutPrefix(e.Name(), stem+"-")
		if !ok {
			continue
		}
		digits, _, _ := strings.Cut(rest, ".")
		if n, err := strconv.Atoi(digits); err == nil && n < 1<<30 {
			last = max(last, n)
		}
	}
	return last, nil
}
