package control

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/codec"
)

// A file is a header and the clip's numbers: of 64 bits, little-endian, except indices of 32 bits. The header holds magic, the version,
// the number of bytes that follow, and a checksum of everything else.
const (
	magic       = "MENICLIP"
	clipVersion = 1
	headerBytes = 4 * 8
	sumAt       = 3 * 8
	countsBytes = 3 * 8
)

// ErrNotClip is the error of Load for data that [Clip.Save] did not write, or that is cut off or damaged.
var ErrNotClip = errors.New("not a clip that was saved, or not all of it, or damaged")

// sizeOf returns the number of bytes of a clip in a file after the header.
func sizeOf(vertices, triangles, frames float64) float64 {
	return countsBytes + float64(frames*8) + float64(triangles*12) + float64(frames*vertices*48)
}

// code encodes and decodes a clip with room for its numbers; when checking, the clip has no arrays.
func (c *Clip) code(s *codec.Codec, vertices, triangles, frames int) {
	s.Part("times")
	s.Float64s(c.times, frames, 0, 2*maxTime)
	s.Part("triangles")
	for i := range triangles {
		var t []int32
		if c.triangles != nil {
			t = c.triangles[i][:]
		}
		s.Int32s(t, 3, 0, int32(vertices-1))
	}
	codeVectors(s, "positions", c.positions, frames*vertices, maxCoord)
	codeVectors(s, "velocities", c.velocities, frames*vertices, maxSpeed)
}

func codeVectors(s *codec.Codec, part string, v []r3.Vec, n int, most float64) {
	s.Part(part)
	for i := range n {
		var p r3.Vec
		if v != nil {
			p = v[i]
		}
		s.Vec(&p, most)
		if v != nil {
			v[i] = p
		}
		if s.Failed() {
			return
		}
	}
}

// encoded returns the clip as in a file, without the header.
func (c *Clip) encoded() []byte {
	var s codec.Codec
	s.Write()
	s.Count(c.vertices, 0, 0)
	s.Count(len(c.triangles), 0, 0)
	s.Count(len(c.times), 0, 0)
	c.code(&s, c.vertices, len(c.triangles), len(c.times))
	return s.Bytes()
}

// Hash returns a checksum of the clip's times, triangles, positions and velocities.
func (c *Clip) Hash() uint64 { return codec.Checksum(0, c.encoded()) }

// Save writes the clip, with a version and a checksum, for [Load].
func (c *Clip) Save(w io.Writer) error {
	if w == nil {
		return errors.New("control: Clip.Save: there is nothing to write to")
	}
	data := c.encoded()
	head := make([]byte, headerBytes)
	copy(head, magic)
	binary.LittleEndian.PutUint64(head[8:], clipVersion)
	binary.LittleEndian.PutUint64(head[16:], uint64(len(data)))
	binary.LittleEndian.PutUint64(head[sumAt:], codec.Checksum(codec.Checksum(0, head[:sumAt]), data))
	for _, part := range [][]byte{head, data} {
		if _, err := w.Write(part); err != nil {
			return fmt.Errorf("control: Clip.Save: %w", err)
		}
	}
	return nil
}

// Load reads a clip that [Clip.Save] wrote, with the same bits, and nothing after it. It allocates memory in proportion to the data read, whatever the
// header says, and checks the clip as [NewClip] does.
func Load(r io.Reader) (*Clip, error) {
	if r == nil {
		return nil, errors.New("control: Load: there is nothing to read from")
	}
	c, err := load(r)
	if err != nil {
		return nil, fmt.Errorf("control: Load: %w", err)
	}
	return c, nil
}

func load(r io.Reader) (*Clip, error) {
	var head [headerBytes + countsBytes]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotClip, err)
	}
	number := func(i int) uint64 { return binary.LittleEndian.Uint64(head[8*i:]) }
	if string(head[:len(magic)]) != magic {
		return nil, ErrNotClip
	}
	if v := number(1); v != clipVersion {
		return nil, fmt.Errorf("it was saved by version %d of the format; must be %d", v, clipVersion)
	}
	vertices, triangles, frames, size := number(4), number(5), number(6), number(2)
	if vertices < 1 || vertices > maxVertices || triangles > 2*maxVertices || frames < 1 || frames > math.MaxInt32 ||
		float64(size) != sizeOf(float64(vertices), float64(triangles), float64(frames)) || size > math.MaxInt64/4 {
		return nil, fmt.Errorf("%w: the header says %d vertices, %d triangles and %d frames in %d bytes", ErrNotClip, vertices, triangles, frames, size)
	}
	var data bytes.Buffer
	if _, err := io.CopyN(&data, r, int64(size)-countsBytes); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotClip, err)
	}
	sum := codec.Checksum(codec.Checksum(codec.Checksum(0, head[:sumAt]), head[headerBytes:]), data.Bytes())
	if sum != number(3) {
		return nil, fmt.Errorf("%w: the checksum is wrong", ErrNotClip)
	}
	return decoded(data.Bytes(), int(vertices), int(triangles), int(frames))
}

// decoded returns the clip with the given data, whose length matches the counts.
func decoded(data []byte, vertices, triangles, frames int) (*Clip, error) {
	var s codec.Codec
	var none Clip
	s.Check(data, clipVersion)
	none.code(&s, vertices, triangles, frames)
	if err := s.End(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotClip, err)
	}
	c := newClip(make([][3]int32, triangles), make([]float64, frames), vertices)
	s.Read(data, clipVersion)
	c.code(&s, vertices, triangles, frames)
	c.revision = revision(c.triangles)
	if err := checkTriangles(vertices, c.triangles); err != nil {
		return nil, fmt.Errorf("triangles: %w", err)
	}
	for i, t := range c.times {
		if i == 0 && t != 0 {
			return nil, fmt.Errorf("frame 0: %g s; must be at 0", t)
		}
		what := fmt.Sprintf("frame %d", i)
		if i > 0 && !(t > c.times[i-1]) {
			return nil, fmt.Errorf("%s: %g s; must be after the one before (%g s)", what, t, c.times[i-1])
		}
		if err := checkVolume(c.positions[i*vertices:(i+1)*vertices], c.triangles); err != nil {
			return nil, fmt.Errorf("%s: %w", what, err)
		}
	}
	return c, nil
}
