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

// A file is a header and a compressed stream (RFC 1951). The header's numbers have 64 bits, little-endian.
const (
	magic      = "MENISCUS"
	headerSize = 5 * 8 // magic, version, size of the stream, size of the state, checksum of these and of the stream
	sumAt      = 4 * 8
)

// ErrNotSaved is the failure where a file was not made by Pack, is cut off or is damaged.
var ErrNotSaved = errors.New("not a liquid that was saved, or not all of it, or damaged")

var crcTable = crc64.MakeTable(crc64.ECMA)

// Checksum returns the CRC-64 of data that follows other data, whose checksum is before. It is 0 for no data.
func Checksum(before uint64, data []byte) uint64 { return crc64.Update(before, crcTable, data) }

// Pack returns a file with a state of the given format version.
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

// Unpack reads a file and returns its state and the version that the file was made with. It returns an error that wraps ErrNotSaved for a damaged file,
// and another for a version outside of oldest to version.
//
// most: the largest state allowed, bytes. Whatever the header says, Unpack allocates at most a few times most, and for the stream no more than the file holds.
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
		return nil, 0, fmt.Errorf("%w: the header says %d bytes that unpack to %d; must be at most %d", ErrNotSaved, packed, whole, most)
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
