// Package speaker plays samples as they are made, through the OpenAL context that g3n's application opens with its window.
package speaker

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/g3n/engine/audio/al"
)

// Speaker is a queue of samples. The calls of one must be on one goroutine at a time.
type Speaker struct {
	source  uint32
	rate    int
	free    []uint32 // buffers
	playing []uint32 // the oldest first
}

const (
	// buffers is how many steps' samples may wait: at 1/60 s an eighth of a second.
	buffers = 8
	// early is how many must wait before the sound starts, so that a frame that is late leaves no gap.
	early = 3
)

// ErrNoDevice says that nothing can be heard here.
var ErrNoDevice = errors.New("no audio device")

// Open readies a speaker for stereo samples of a rate, Hz. It is ErrNoDevice where g3n's application found no device.
func Open(rate int) (*Speaker, error) {
	if al.GetString(al.Version) == "" {
		return nil, ErrNoDevice
	}
	_ = al.GetError() // of calls before
	s := &Speaker{source: al.GenSource(), rate: rate, free: al.GenBuffers(buffers)}
	if err := al.GetError(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoDevice, err)
	}
	al.Sourcei(s.source, al.SourceRelative, al.True)
	return s, nil
}

// Play queues samples, left and right in turns. What comes faster than it is played, by more than there is room for, is left out.
func (s *Speaker) Play(samples []int16) {
	s.collect()
	if len(samples) == 0 || len(s.free) == 0 {
		return
	}
	b := s.free[len(s.free)-1]
	s.free = s.free[:len(s.free)-1]
	al.BufferData(b, al.FormatStereo16, unsafe.Pointer(&samples[0]), uint32(len(samples)*2), uint32(s.rate))
	al.SourceQueueBuffers(s.source, b)
	s.playing = append(s.playing, b)
	if al.GetSourcei(s.source, al.SourceState) != al.Playing && len(s.playing) >= early {
		al.SourcePlay(s.source)
	}
}

// collect takes the buffers back that were played, which OpenAL gives back in the order in which it got them.
func (s *Speaker) collect() {
	n := min(int(al.GetSourcei(s.source, al.BuffersProcessed)), len(s.playing))
	if n == 0 {
		return
	}
	al.SourceUnqueueBuffers(s.source, uint32(n), s.playing[:n])
	s.free = append(s.free, s.playing[:n]...)
	s.playing = append(s.playing[:0], s.playing[n:]...)
}

// Close ends the sound.
func (s *Speaker) Close() {
	al.SourceStop(s.source)
	s.collect()
	al.DeleteSource(s.source)
	al.DeleteBuffers(append(s.free, s.playing...))
}
