package synth

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
)

// WriteWAV writes samples as a WAV file: 16 bits, stereo, at Rate.
func WriteWAV(w io.Writer, samples []int16) error {
	const bytesEach = 2
	size := int64(len(samples)) * bytesEach
	if size > math.MaxUint32-64 {
		return fmt.Errorf("synth: %d samples are too many for a WAV file", len(samples))
	}
	var b bytes.Buffer
	b.Grow(int(size) + 44)
	b.WriteString("RIFF")
	number := func(v any) { _ = binary.Write(&b, binary.LittleEndian, v) } // a buffer takes all
	number(uint32(36 + size))
	b.WriteString("WAVEfmt ")
	number(uint32(16))
	number([]uint16{1, Channels}) // PCM
	number([]uint32{Rate, Rate * Channels * bytesEach})
	number([]uint16{Channels * bytesEach, 8 * bytesEach})
	b.WriteString("data")
	number(uint32(size))
	number(samples)
	_, err := w.Write(b.Bytes())
	return err
}
