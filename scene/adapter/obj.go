package adapter

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/spatial/r3"
)

// LoadMesh reads all faces of an OBJ file as triangles whose vertices are joined where they
// lie at the same place, which is what fluid.NewMesh and physics.Mesh need. Units are the file's,
// usually m.
func LoadMesh(path string) (vertices []r3.Vec, triangles [][3]int32, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, fmt.Errorf("adapter: LoadMesh: %w", err)
	}
	defer f.Close()
	return ReadMesh(f)
}

// ReadMesh is LoadMesh from a reader. Faces with more than three corners are cut into fans
// from their first, so they should be convex; triangles with two corners at one place are
// left out. Of the other statements none is looked at: materials, groups, curves. An error, which
// names the line, is returned for a vertex or a face that can't be read, a corner that names no
// vertex, a coordinate that is not finite, a line of more than a megabyte, and when no triangle is left.
func ReadMesh(r io.Reader) (vertices []r3.Vec, triangles [][3]int32, err error) {
	var o objFile
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		o.line++
		if err := o.read(lines.Text()); err != nil {
			return nil, nil, fmt.Errorf("adapter: ReadMesh: line %d: %w", o.line, err)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, nil, fmt.Errorf("adapter: ReadMesh: line %d: %w", o.line+1, err)
	}
	if err := o.read(""); err != nil { // a last line that goes on
		return nil, nil, fmt.Errorf("adapter: ReadMesh: line %d: %w", o.line, err)
	}
	w := newWelder(o.positions)
	for i, t := range o.triangles {
		if err := w.add(t[0], t[1], t[2]); err != nil {
			return nil, nil, fmt.Errorf("adapter: ReadMesh: line %d: %w", o.lines[i], err)
		}
	}
	if len(w.triangles) == 0 {
		return nil, nil, errors.New("adapter: ReadMesh: no triangles")
	}
	return w.vertices, w.triangles, nil
}

// objFile is what has been read of an OBJ file.
type objFile struct {
	line      int    // counted from 1
	start     []byte // of a line that goes on
	positions []float32
	triangles [][3]int // indices of vertices from 0; a face may name one that follows it
	lines     []int    // of the triangles
	corners   []int
}

// read takes a line. One that ends in a backslash goes on in the next.
func (o *objFile) read(text string) error {
	if head, more := strings.CutSuffix(text, `\`); more {
		o.start = append(append(o.start, head...), ' ')
		return nil
	}
	if len(o.start) > 0 {
		text = string(append(o.start, text...))
		o.start = o.start[:0]
	}
	text, _, _ = strings.Cut(text, "#")
	words := strings.Fields(text)
	if len(words) == 0 {
		return nil
	}
	switch words[0] {
	case "v":
		return o.vertex(words[1:])
	case "f":
		return o.face(words[1:])
	}
	return nil
}

func (o *objFile) vertex(words []string) error {
	if len(words) < 3 {
		return fmt.Errorf("a vertex of %d coordinates", len(words))
	}
	for _, word := range words[:3] {
		x, err := strconv.ParseFloat(word, 32)
		if err != nil {
			return fmt.Errorf("coordinate: %w", err)
		}
		o.positions = append(o.positions, float32(x))
	}
	return nil
}

func (o *objFile) face(words []string) error {
	if len(words) < 3 {
		return fmt.Errorf("a face of %d corners", len(words))
	}
	known := len(o.positions) / 3
	o.corners = o.corners[:0]
	for _, word := range words {
		word, _, _ = strings.Cut(word, "/") // texture and normal follow
		i, err := strconv.Atoi(word)
		switch {
		case err != nil:
			return fmt.Errorf("corner: %w", err)
		case i < -known || i == 0:
			return fmt.Errorf("no vertex %d among %d", i, known)
		case i < 0:
			i += known
		default:
			i--
		}
		o.corners = append(o.corners, i)
	}
	for k := 1; k+1 < len(o.corners); k++ {
		o.triangles = append(o.triangles, [3]int{o.corners[0], o.corners[k], o.corners[k+1]})
		o.lines = append(o.lines, o.line)
	}
	return nil
}
