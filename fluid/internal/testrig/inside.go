package testrig

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/meniscus3d/meniscus/fluid"
	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/ids"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/remedies"
	"github.com/meniscus3d/meniscus/fluid/internal/solver"
	"github.com/meniscus3d/meniscus/fluid/internal/track"
	"github.com/meniscus3d/meniscus/fluid/internal/track/trimesh"
	"github.com/meniscus3d/meniscus/fluid/internal/whitewater"
)

// Litre is a litre in m³.
const Litre = 1e-3

// field returns the address of a field of a liquid's simulation, which package fluid does not export. It panics if there is no field of that name and type.
func field[T any](l *fluid.Liquid, path string) *T {
	return fieldOf[T](reflect.ValueOf(l).Elem().FieldByName("sim"), path)
}

// fieldOf is field of a value, or of what that points to. It allocates nothing.
func fieldOf[T any](of reflect.Value, path string) *T {
	v := of
	for name := range strings.SplitSeq(path, ".") {
		if v = reflect.Indirect(v).FieldByName(name); !v.IsValid() {
			panic(fmt.Sprintf("testrig: %v has no %s", of.Type(), path))
		}
	}
	if want := reflect.TypeFor[T](); v.Type() != want {
		panic(fmt.Sprintf("testrig: %s of %v is a %v, not a %v", path, of.Type(), v.Type(), want))
	}
	return (*T)(v.Addr().UnsafePointer())
}

// Around returns what acts on a liquid.
func Around(l *fluid.Liquid) *solver.Surroundings { return field[solver.Surroundings](l, "around") }

// TriangleMesh returns the explicit mesh that follows a liquid.
func TriangleMesh(l *fluid.Liquid) *trimesh.Mesh {
	tracker := *fieldOf[track.Tracker](reflect.ValueOf(&Blocks(l).Surface), "tracker")
	return fieldOf[trimesh.Mesh](reflect.ValueOf(tracker), "track.Mesh")
}

// Solver returns what moves a liquid.
func Solver(l *fluid.Liquid) solver.Solver { return *field[solver.Solver](l, "solver") }

// Pool returns a liquid's workers.
func Pool(l *fluid.Liquid) *par.Pool { return *field[*par.Pool](l, "pool") }

// Definition returns the address of what Def returns a copy of.
func Definition(l *fluid.Liquid) *fluid.Def { return field[fluid.Def](l, "def") }

// Attempts returns what a liquid leaves out after steps that failed.
func Attempts(l *fluid.Liquid) *remedies.Ladder { return field[remedies.Ladder](l, "attempts") }

// Codec returns what a liquid codes its state by.
func Codec(l *fluid.Liquid) *codec.Codec { return field[codec.Codec](l, "codec") }

// WhiteWater returns a liquid's white water.
func WhiteWater(l *fluid.Liquid) *whitewater.Water {
	return *field[*whitewater.Water](l, "whiteWater")
}

// Time returns the simulated time, s.
func Time(l *fluid.Liquid) float64 { return *field[float64](l, "out.time") }

// Steps returns how many steps a liquid has taken.
func Steps(l *fluid.Liquid) int { return *field[int](l, "out.steps") }

// Report returns the report of the last step.
func Report(l *fluid.Liquid) *fluid.Report { return field[fluid.Report](l, "step.report") }

// Members returns the liquids that couple the same bodies as a liquid, itself included.
func Members(l *fluid.Liquid) []*fluid.Liquid { return *field[[]*fluid.Liquid](l, "group.members") }

// EmitterIDs returns the table of the emitters that a game has added.
func EmitterIDs(l *fluid.Liquid) *ids.Table { return field[ids.Table](l, "ids.emitters") }

// SinkIDs returns that of sinks.
func SinkIDs(l *fluid.Liquid) *ids.Table { return field[ids.Table](l, "ids.sinks") }

// FieldIDs returns that of fields.
func FieldIDs(l *fluid.Liquid) *ids.Table { return field[ids.Table](l, "ids.fields") }

// ObstacleIDs returns that of obstacles.
func ObstacleIDs(l *fluid.Liquid) *ids.Table { return field[ids.Table](l, "ids.obstacles") }

// ControlIDs returns that of controls.
func ControlIDs(l *fluid.Liquid) *ids.Table { return field[ids.Table](l, "ids.controls") }
