package codec

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc64"
	"io"
)

// A file is a header and a compressed stream (RFC 1951). The header's numbers have 64 bits, the low byte first.
const (
	magic      = "MENISCUS"
	headerSize = 5 * 8 // magic, version, bytes of the stream, bytes of the state that it unpacks to, checksum of all others and of the stream
	sumAt      = 4 * 8
)

// ErrNotSaved says that a file is none that Pack made, or only a part of it, or damaged.
var ErrNotSaved = errors.New("not a liquid that was saved, or not all of it, or damaged")

var crcTable = crc64.MakeTable(crc64.ECMA)

// Checksum is a fingerprint of data that goes on from that of what comes before it: 0 for nothing.
func Checksum(before uint64, data []byte) uint64 { return crc64.Update(before, crcTable, data) }

// Pack makes a file of a state in a version of its format.
func Pack(state []byte, version int) ([]byte, error) {
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
	return Checksum(Checksum(0, head), stream)
}

// Unpack reads a file of the versions from oldest to version, and returns the state in it, of at most so many bytes, and its version. It allocates no more than a few times what
// there is to read or most.
func Unpack(r io.Reader, oldest, version int, most uint64) (data []byte, made int, err error) {
	var head [headerSize]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, 0, fmt.Errorf("%w: %w", ErrNotSaved, err)
	}
	number := func(i int) uint64 { return binary.LittleEndian.Uint64(head[8*i:]) }
	packed, whole := number(2), number(3)
	switch {
	case string(head[:len(magic)]) != magic:
		return nil, 0, ErrNotSaved
	case number(1) < uint64(oldest) || number(1) > uint64(version):
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
