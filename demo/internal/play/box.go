package play

import (
	"fmt"
	"os"

	"github.com/meniscus3d/meniscus/fluid/fluidtrace"
)

// Boxed is a Scenario whose last steps a black box keeps, with the flag -box. demo/replay takes them again.
type Boxed interface {
	Box(o fluidtrace.FlightRecorderOptions) (*fluidtrace.FlightRecorder, error)
}

// boxed tells whether there is such a flag.
func (d *Demo[S]) boxed() bool {
	var none S
	_, ok := any(none).(Boxed)
	return ok
}

// openBox starts the black box that the settings ask for; nil if they ask for none.
func (d *Demo[S]) openBox(s Settings, scenario S) (*fluidtrace.FlightRecorder, error) {
	b, ok := any(scenario).(Boxed)
	if !ok || s.Box == "" {
		return nil, nil
	}
	return b.Box(fluidtrace.FlightRecorderOptions{
		Dir: s.Box, About: fmt.Sprintf("demo/%s -cell %g -budget %v -camera %s -seed %d", d.Name, s.Cell, s.Budget, s.Camera, s.Seed),
	})
}

// closeBox waits for the dumps and says how many there are.
func closeBox(b *fluidtrace.FlightRecorder, s Settings) error {
	if b == nil {
		return nil
	}
	err := b.Close()
	fmt.Fprintf(os.Stderr, "%d dumps in %s; go run ./demo/replay takes the steps of one again\n", b.Dumps(), s.Box)
	return err
}
