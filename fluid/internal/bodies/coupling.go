package bodies

import (
	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/engine"
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/remedies"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Coupling is the state of the bodies coupled to a liquid. Slices are per body, in the order of the engine. In Solids, Rigid and Moved, moving obstacles follow
// the bodies: the caller of Read appends them.
type Coupling struct {
	Config
	Bodies engine.Bodies // nil: none
	Mask   uint64        // categories of bodies that are coupled
	Solids []rigid.Solid
	Rigid  []rigid.Body
	Moved  [][6]float64  // twist of each solid at the begin of the substep
	Joints []rigid.Joint // joints and contacts
	Events Events

	// Out lists the bodies, by ID, that are left out: they stand still for the liquid, which exerts nothing on them.
	Out remedies.Out
	// Sanitizer sets aside bodies with invalid numbers.
	Sanitizer Sanitizer
	// Loads are the liquid's loads on the bodies.
	Loads Loads

	now           Substep
	places        []r3.Vec  // scratch
	accelerations []r3.Vec  // by gravity and the fields at the bodies, m/s²
	edges         []float64 // of the cells at the bodies, m
	pressed       []float64 // scratch of findContactWrenches: the contacts' impulses on each body, N·s

	// ellipsoids of inertia, of the bodies with a mass.
	ellipsoids []ellipsoid
	state      []bodyState
	old        []bodyState      // scratch of match
	index      map[uint64]int32 // of state by ID, valid if indexed
	indexed    bool
	changed    bool // bodies were added or removed

	// Each of the following works on a part of the substep.
	constraints constraints
	midway      midwayPoses
	present     []func(dst []float32, pts []r3.Vec) // per index, made once: the current distance of the body
	porous      porousBodies
	slippages   slippages
	unsolved    unsolved
	reaction    reaction
	solves      solves
	shared      *Shared // nil before the first substep
}

// bodyState is the state of a body that is kept from step to step.
type bodyState struct {
	id             uint64
	ok             bool // the numbers are valid, and the body or one that it is joined to may be near the domain
	awake          bool
	justAsleep     bool   // it has fallen asleep in this step
	held           bool   // see Coupling.holds
	unread         bool   // not read at its index before
	added          bool   // added since the last Read
	movedAtRest    bool   // it rests, and was moved or changed since the last step
	known          bool   // revision is set
	kind           int    // as last read
	bad            string // what is invalid in its pose, or ""
	heldDown       bool   // it would float, but stands on air: that was warned of
	warned         string // why it is set aside, as last warned of
	tooFast        string // the warning that it is too fast for the substeps, or ""
	wet            bool
	contact        [6]float64 // change of velocity by contacts in the last step, beyond that in the solve
	clipped        [6]float64 // change of velocity by clipping it for the solve
	solved         [6]float64 // velocity after the solve
	restLoad       r3.Vec     // load when it fell asleep, of a kinematic body when the liquid did, N
	restTurn       r3.Vec     // torque about the centre of mass then, N·m
	before         [6]float64 // velocity before the step
	pushes         bool       // the liquid exerts something on it in this substep
	contactWrench  [6]float64 // wrench of contacts that the liquid applies in the engine's place, N and N·m
	slidVelocity   [6]float64 // change of velocity by the friction in that wrench
	damping        [6]float64 // wrench that damps slow motion, N and N·m
	extraWrench    [6]float64 // wrench of the liquid beside the rows' pressure, N and N·m; kept while the body sleeps
	unsolvedWrench [6]float64 // the part of it that is not in the solve
	subgrid        bool       // the grid treats it as porous, at least in part
	submersion     submersion // if subgrid, or asleep
	placed         bool       // centre, turned and bounds are as the grid last read them
	centre         r3.Vec
	turned         quat.Number
	bounds         r3.Box
	revision       uint64
	seen           rigid.Pose // when the surface last moved
	last           rigid.Pose // seen at the begin of the substep
}

// New returns a Coupling to no bodies.
func New(config Config) *Coupling {
	c := &Coupling{Config: config}
	c.Sanitizer.c, c.Loads.c, c.constraints.c, c.midway.c, c.porous.c, c.unsolved.c = c, c, c, c, c, c
	c.slippages = slippages{c: c, scratch: make([]slippageScratch, config.Pool.Workers())}
	c.reaction = reaction{graph: config.Graph, now: &c.now}
	c.constraints.visit = c.constraints.readContact
	return c
}

// Couple couples the bodies of an engine with categories in the mask, or none if b is nil. It drops all state of bodies.
func (c *Coupling) Couple(b engine.Bodies, mask uint64) {
	c.Bodies, c.Mask, c.indexed = b, mask, false
	c.state, c.Loads.body = c.state[:0], c.Loads.body[:0]
}

// Count returns the current number of bodies.
func (c *Coupling) Count() int {
	if c.Bodies == nil {
		return 0
	}
	return max(0, c.Bodies.Len())
}

// Known returns the number of bodies at the last Read.
func (c *Coupling) Known() int { return len(c.state) }

// ID returns the ID that the body with an index below Known had at the last Read.
func (c *Coupling) ID(i int) uint64 { return c.state[i].id }

// IsCoupled reports whether body i is in a category that is coupled.
func (c *Coupling) IsCoupled(i int) bool {
	from, can := c.Bodies.(engine.Filtering)
	return !can || from.LiquidCategory(i)&c.Mask != 0
}

// HoldLoads makes the engine apply the game's forces until ReleaseLoads, if it can.
func (c *Coupling) HoldLoads() {
	if to, can := c.Bodies.(engine.Holding); can {
		to.HoldLoads()
	}
}

// ReleaseLoads ends what HoldLoads began.
func (c *Coupling) ReleaseLoads() {
	if to, can := c.Bodies.(engine.Holding); can {
		to.ReleaseLoads()
	}
}

// match moves the state to the bodies' new indices when bodies were added or removed.
func (c *Coupling) match(n int) {
	c.midway.grow(n)
	defer c.Sanitizer.matchGuards()
	same := len(c.state) == n
	for i := 0; same && i < n; i++ {
		same = c.state[i].id == c.Bodies.ID(i)
	}
	if same {
		return
	}
	old, index, kept := append(c.old[:0], c.state...), c.indices(), 0
	c.old, c.indexed = old, false
	c.state, c.Loads.body = arrays.Resize(c.state, n), arrays.Resize(c.Loads.body, n)
	clear(c.Loads.body)
	for i := range n {
		id := c.Bodies.ID(i)
		c.state[i] = bodyState{id: id, unread: true, added: true}
		if was, known := index[id]; known {
			kept++
			c.state[i] = old[was]
			if int(was) != i { // the grid's data are by index
				c.state[i].placed, c.state[i].unread = false, true
			}
		}
	}
	c.changed = c.changed || kept < len(old) // a copy has no pose of a removed body
}

// mayDisplace reports whether a body with some bounds, m, may displace liquid: if liquid is near, and the surface is not farther from the middle of the bounds
// than their corners by more than a cell. The distance is known within a few cells only.
func (c *Coupling) mayDisplace(bounds r3.Box) bool {
	if !c.Liquid.Near(bounds) {
		return false
	}
	lo, hi := bounds.Min, bounds.Max
	at, distance := [1]r3.Vec{{X: (lo.X + hi.X) / 2, Y: (lo.Y + hi.Y) / 2, Z: (lo.Z + hi.Z) / 2}}, [1]float32{}
	c.Liquid.Distance(distance[:], at[:])
	radius := float64(reproducible.Norm(r3.Sub(hi, lo)) / 2)
	return !(float64(distance[0]) > radius+c.CellSize)
}

// indices returns the index of each body's state by its ID.
func (c *Coupling) indices() map[uint64]int32 {
	if !c.indexed {
		if c.indexed = true; c.index == nil {
			c.index = map[uint64]int32{}
		}
		clear(c.index)
		for i := range c.state {
			c.index[c.state[i].id] = int32(i)
		}
	}
	return c.index
}
