package fluidtrace

import (
	"io"

	"github.com/meniscus3d/meniscus/fluid"
)

// GameSnapshot is a copy of what steps depend on beside the liquid: bodies, the game's clock, its random numbers. The goroutine that steps
// has it taken; then it is the recorder's, whose goroutine may hash it and write it while the game goes on.
type GameSnapshot interface {
	// Take copies the game as it is. It is in the frame's path: a few microseconds, and no allocation once the
	// copy has held as much.
	Take()
	// Hash is a fingerprint of what was taken.
	Hash() uint64
	// Save writes what was taken.
	Save(w io.Writer) error
}

// copier is what Copies needs of a *T.
type copier[T any] interface {
	*T
	CopyTo(dst *T)
	Hash() uint64
	Save(w io.Writer) error
}

// GameSnapshots makes snapshots of a game that copies itself to a zero value of its kind, as a physics.World does.
func GameSnapshots[T any, P copier[T]](game P) func() GameSnapshot {
	return func() GameSnapshot { return &gameCopy[T, P]{copy: new(T), game: game} }
}

// gameCopy is a copy of a game, with its Hash and Save.
type gameCopy[T any, P copier[T]] struct {
	copy P
	game P
}

func (s *gameCopy[T, P]) Take()                  { s.game.CopyTo(s.copy) }
func (s *gameCopy[T, P]) Hash() uint64           { return s.copy.Hash() }
func (s *gameCopy[T, P]) Save(w io.Writer) error { return s.copy.Save(w) }

// state is the liquid and the game after a step.
type state struct {
	liquid fluid.Snapshot
	game   GameSnapshot // nil without a game
}

const (
	// stateCount is how many states there are: a recorder keeps two or three, one is hashed or on its way, and one is left for a
	// step that is cause for a dump.
	stateCount = 5
	// looks is how many states are hashed in as many steps as the recorder keeps.
	looks = 10
)

// allocateStates makes the free states, with room for a state as large as the present one.
func (b *FlightRecorder) allocateStates() {
	b.freeStates = make(chan *state, stateCount)
	for range stateCount {
		s := &state{}
		if b.options.Game != nil {
			s.game = b.options.Game()
		}
		s.take(b.options.Liquid)
		b.freeStates <- s
	}
}

func (s *state) take(l *fluid.Liquid) {
	l.Snapshot(&s.liquid)
	if s.game != nil {
		s.game.Take()
	}
}

// lookEvery is how many steps there are from one state that is hashed to the next.
func (o *FlightRecorderOptions) lookEvery() int { return max(1, o.Steps/looks) }

// keepState keeps the state after a step, if there is a free one.
func (b *FlightRecorder) keepState(e *record) {
	select {
	case e.state = <-b.freeStates:
		e.state.take(b.options.Liquid)
		b.sinceState = 0
	default:
		b.missing.Add(1)
	}
}

// look hashes the state that came with a record, and keeps it unless the next will be in time for states to be no more
// than half a ring of steps apart.
func (b *FlightRecorder) look(e *record) {
	k := &b.keeper
	k.unkept++
	e.hash, e.gameHash = 0, 0
	if e.state == nil {
		return
	}
	e.hash = e.state.liquid.Hash()
	if e.state.game != nil {
		e.gameHash = e.state.game.Hash()
	}
	if k.unkept+b.options.lookEvery() <= b.options.Steps/2 {
		b.release(e)
		return
	}
	k.unkept = 0
}

// release gives a record's state back.
func (b *FlightRecorder) release(e *record) {
	if e.state != nil {
		b.freeStates <- e.state // there is room for all
		e.state = nil
	}
}

// start is the oldest record from whose state all steps up to the newest can be taken again, one at least; nil if there
// is none.
func (k *keeper) start() (start *record) {
	next := k.newest()
	for i := len(k.ring) - 2; i >= 0; i-- {
		e := k.ring[(k.next+i)%len(k.ring)]
		if !follows(next.report.Step, next.report.Dt, e.report.Step) {
			break
		}
		if e.state != nil {
			start = e
		}
		next = e
	}
	return start
}

// follows tells whether a step of that number is the next one. One that was refused, with no Dt, has the same number.
func follows(step int, dt float64, before int) bool {
	return step == before+1 || step == before && dt == 0
}
