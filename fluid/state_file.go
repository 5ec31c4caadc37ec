package fluid

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc64"
	"io"
)

// A saved liquid is a header and a compressed stream (RFC 1951). The header's numbers have 64 bits, the low byte first.
const (
	magic      = "MENISCUS"
	version    = 8
	oldest     = 1     // that is read
	headerSize = 5 * 8 // magic, version, bytes of the stream, bytes of the state that it unpacks to, checksum of all others and of the stream
	sumAt      = 4 * 8
)

// ErrNotSaved says that what Restore was given is not what Save wrote, or only a part of it, or was damaged.
var ErrNotSaved = errors.New("not a liquid that was saved, or not all of it, or damaged")

// Save writes the state for Restore to go on from. What it writes has a version and a checksum, and is compressed.
//
// Shapes are code and aren't written, bodies neither: both are the game's. Events, and a plan that waits for the next
// step (Replay), are not part of the state.
func (l *Liquid) Save(w io.Writer) error {
	defer l.enter(&inSave).leave()
	if w == nil {
		return errors.New("fluid: Save: there is nothing to write to")
	}
	c := &l.state.codec
	c.Write()
	l.state.code(c)
	return save(w, c.Bytes())
}

// save writes a state as a file.
func save(w io.Writer, state []byte) error {
	file, err := pack(state)
	if err == nil {
		_, err = w.Write(file)
	}
	if err != nil {
		return fmt.Errorf("fluid: Save: %w", err)
	}
	return nil
}

// pack makes a file of a state.
func pack(state []byte) ([]byte, error) {
	file := bytes.NewBuffer(make([]byte, headerSize, headerSize+len(state)))
	z, err := flate.NewWriter(file, flate.DefaultCompression)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(state); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	b := file.Bytes()
	copy(b, magic)
	for i, v := range [3]int{version, len(b) - headerSize, len(state)} {
		binary.LittleEndian.PutUint64(b[8+8*i:], uint64(v))
	}
	binary.LittleEndian.PutUint64(b[sumAt:], checksum(b[:sumAt], b[headerSize:]))
	return b, nil
}

func checksum(head, stream []byte) uint64 {
	return crc64.Update(crc64.Checksum(head, crcTable), crcTable, stream)
}

// Restore makes the state what it was when it was saved; the same calls then give the same bits as they would have then.
// It reads no more than Save wrote. An error says what is wrong, and leaves the liquid as it was.
//
// First the game makes what it can't read: a liquid with the same Def but for Budget, Workers, MaxMemory, gravity and material, with as many
// emitters, sinks, fields and obstacles, added in the same order, and coupled to bodies under the same indices and IDs, restored before it.
// Those that were removed don't count, and ids stay what they are. Restore compares the bounds of shapes, the kinds of fields and the
// bodies' IDs; where all are and how they move, rates, which emitters run, and the view are restored. Until the next step VolumeIn and
// DensityIn don't know which room bodies take. The budget stays what it is: it's the machine's.
func (l *Liquid) Restore(r io.Reader) error {
	defer l.enter(&inRestore).leave()
	if r == nil {
		return errors.New("fluid: Restore: there is nothing to read from")
	}
	data, made, err := unpack(r, uint64(l.state.most()))
	if err != nil {
		return fmt.Errorf("fluid: Restore: %w", err)
	}
	c := &l.state.codec
	c.Check(data, made)
	l.state.code(c)
	if err := c.End(); err != nil {
		return fmt.Errorf("fluid: Restore: %w", err)
	}
	l.guard.Reading = true
	c.Read(data, made)
	l.state.code(c)
	return c.End()
}

// most is more bytes than the state can have: those of grid and surface, and some for bodies.
func (s *state) most() int { return s.sim.coder.Most() + 16<<20 }

// unpack reads a file and returns the state in it, of at most so many bytes, and its version. It allocates no more than a few times what
// there is to read or most.
func unpack(r io.Reader, most uint64) (data []byte, made int, err error) {
	var head [headerSize]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, 0, fmt.Errorf("%w: %w", ErrNotSaved, err)
	}
	number := func(i int) uint64 { return binary.LittleEndian.Uint64(head[8*i:]) }
	packed, whole := number(2), number(3)
	switch {
	case string(head[:len(magic)]) != magic:
		return nil, 0, ErrNotSaved
	case number(1) < oldest || number(1) > version:
		return nil, 0, fmt.Errorf("it was saved by version %d of the format; must be %d to %d", number(1), oldest, version)
	case whole > most || packed > most:
		return nil, 0, fmt.Errorf("%w: it tells of %d bytes that unpack to %d; must be at most %d", ErrNotSaved, packed, whole, most)
	}
	var stream bytes.Buffer
	if _, err := io.CopyN(&stream, r, int64(packed)); err != nil {
		return nil, 0, fmt.Errorf("%w: %w", ErrNotSaved, err)
	}
	if checksum(head[:sumAt], stream.Bytes()) != number(4) {
		return nil, 0, fmt.Errorf("%w: the checksum is wrong", ErrNotSaved)
	}
	data, err = io.ReadAll(io.LimitReader(flate.NewReader(&stream), int64(whole)+1))
	if err != nil || uint64(len(data)) != whole {
		return nil, 0, fmt.Errorf("%w: it unpacks to %d bytes and not to %d: %w", ErrNotSaved, len(data), whole, errors.Join(err, io.ErrUnexpectedEOF))
	}
	return data, int(number(1)), nil
}
