package fluid

import (
	"github.com/meniscus3d/meniscus/fluid/internal/capacity"
	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/fields"
	"github.com/meniscus3d/meniscus/fluid/internal/waves"
)

// What tests in fluid_test ask of what is not exported.

type Maker = maker

const (
	MaxMotion = maxMotion
	MostLater = mostLater
	MostWork  = mostWork
	Version   = version
)

var (
	OfCells       = finiteVolumes
	MakeLiquid    = makeLiquid
	MethodOf      = blocksMethod
	LatticeMethod = latticeMethod
	NewBlocks     = newBlocks
)

func (f *Field) Validated() (*fields.Field, error) { return f.validated() }
func (d Def) Extent() *capacity.Extent             { return d.extent() }
func (d Def) Material() Material                   { return d.material() }
func (d Def) WithDefaults() Def                    { return d.withDefaults() }

func Code(l *Liquid, c *codec.Codec)      { l.sim.code(c) }
func CodeAlike(l *Liquid, c *codec.Codec) { l.sim.codeAlike(c) }
func WakeAll(l *Liquid)                   { l.sim.sleep.wakeAll() }
func UpdateGravity(l *Liquid)             { l.sim.updateGravity() }
func StrikeSurface(l *Liquid, s waves.Strike) {
	l.sim.out.detail.strikes = append(l.sim.out.detail.strikes, s)
}
func UpdateStaticObstacles(l *Liquid) { l.sim.updateStaticObstacles() }
