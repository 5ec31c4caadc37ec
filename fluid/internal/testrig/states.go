package testrig

import (
	"bytes"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/physics"
)

// Saved returns the file of a liquid.
func Saved(t testing.TB, l *fluid.Liquid) []byte {
	t.Helper()
	var b bytes.Buffer
	Must(t, l.Save(&b))
	return b.Bytes()
}

// Restore gives a liquid the state of a file.
func Restore(t testing.TB, l *fluid.Liquid, file []byte) {
	t.Helper()
	Must(t, l.Restore(bytes.NewReader(file)))
}

// PairOf is a liquid with its bodies, as a game keeps two of for rollback.
type PairOf struct {
	L *fluid.Liquid
	W *physics.World
}

// CopyTo copies both, and fails the test unless the copies have the same hashes.
func (p PairOf) CopyTo(t testing.TB, dst PairOf) {
	t.Helper()
	p.W.CopyTo(dst.W)
	Must(t, p.L.CopyTo(dst.L))
	if p.L.Hash() != dst.L.Hash() || p.W.Hash() != dst.W.Hash() {
		t.Fatal("a copy has another hash")
	}
}

// Step is step n of the lively scene: its calls, then Step. It returns a digest of all that a game reads then.
func (p PairOf) Step(t testing.TB, n int) uint64 {
	t.Helper()
	StirLively(t, p.L, n)
	r := *p.L.Step(Frame)
	if r.Err != nil {
		t.Fatalf("step %d: %s", n, r.Err)
	}
	return Digest(p.L, r, p.W.Coupling())
}

// Bare is a liquid and a world to copy the lively scene to.
func Bare(t testing.TB, def fluid.Def, workers int) PairOf {
	t.Helper()
	def.Resources.Workers = workers
	p := PairOf{New(t, def), physics.NewWorld(physics.WorldDef{Gravity: r3.Vec{Y: -9.81}})}
	p.L.Couple(p.W.Coupling())
	return p
}

// AnyTracker are those that follow a surface.
var AnyTracker = map[string]fluid.Tracker{"level set": fluid.LevelSet, "contouring": fluid.Contouring, "mesh": fluid.ExplicitMesh}
