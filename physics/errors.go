package physics

import (
	"errors"
	"fmt"
)

// Errors that callers may test for with errors.Is.
var (
	// ErrStale says that a handle's body, shape or joint was removed or never existed.
	ErrStale = errors.New("physics: stale handle: there is no such body, shape or joint")
	// ErrKind says that a call does not suit the kind of body.
	ErrKind = errors.New("physics: wrong kind of body")
	// ErrNotFinite says that a number is NaN or infinite.
	ErrNotFinite = errors.New("physics: not a finite number")
	// ErrFull says that a World holds all the bodies, shapes or joints that it can: 1<<24 of each.
	ErrFull = errors.New("physics: too many bodies, shapes or joints: at most 1<<24 of each")
	// ErrTimeStep says that World.Step was asked for a time that is negative, not finite, or above 1 s.
	ErrTimeStep = errors.New("physics: the time step must be from 0 to 1 s")
	// ErrNotSaved says that what World.Restore reads is not what World.Save wrote.
	ErrNotSaved = errors.New("physics: not a snapshot that this version reads")
)

// FieldError is a value outside its limits.
type FieldError struct {
	Field string // such as "BodyDef.Position"; of an argument "Body.SetPose: pos"
	Value any    // nil if it is long
	Limit string // what holds of good values
}

// Error names the field, its value and its limit.
func (e *FieldError) Error() string {
	if e.Value == nil {
		return fmt.Sprintf("physics: %s: must be %s", e.Field, e.Limit)
	}
	return fmt.Sprintf("physics: %s = %v: must be %s", e.Field, e.Value, e.Limit)
}
