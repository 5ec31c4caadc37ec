package fluid

// Material is what a liquid is made of. It says what Def says about it, in the same units and within the same limits.
type Material struct {
	Density        float64 // kg/m³
	Viscosity      float64 // kinematic, m²/s
	SurfaceTension float64 // to air, N/m
}

// Materials by name, for Def.With and Liquid.SetMaterial. What spreads by less than 1e-5 CellSize² in a substep is left out (see Def.Physics.Viscosity),
// so that on cells of a centimetre water, sea water and mercury are alike inviscid. Tension acts on what is a few cells wide: on cells of
// 5 cm it is not to be seen.
var (
	// Water is fresh water at 20 °C.
	//
	// Source: IAPWS R6-95 (density), R12-08 (1.0016 mPa·s), R1-76 (surface tension).
	Water = Material{Density: 998.2, Viscosity: 1.003e-6, SurfaceTension: .0728}
	// SeaWater has 35 g of salt per kg, at 20 °C.
	//
	// Source: ITTC 7.5-02-01-03, 2011 (density, viscosity); Nayar et al. 2014 (surface tension).
	SeaWater = Material{Density: 1024.8, Viscosity: 1.051e-6, SurfaceTension: .0738}
	// Oil is olive oil at 20 °C, 84 mPa·s. Other kitchen oils have .6 to .9 times its viscosity.
	//
	// Source: CRC Handbook of Chemistry and Physics.
	Oil = Material{Density: 914, Viscosity: 9.2e-5, SurfaceTension: .032}
	// Honey is liquid honey with 17 to 18 % of water at 20 °C, 10 Pa·s. Five degrees, or two parts of water in a hundred, make a factor of two.
	//
	// Source: White 1978 (density, viscosity); Oroian 2013 (surface tension, which differs by a fifth from one honey to another).
	Honey = Material{Density: 1420, Viscosity: 7e-3, SurfaceTension: .055}
	// Lava is basalt at 1200 °C, 50 Pa·s, with few crystals. Lavas richer in silica are up to a million times as viscous.
	//
	// Source: Murase, McBirney 1973 (density, viscosity); Walker, Mullins 1981 (surface tension).
	Lava = Material{Density: 2650, Viscosity: 1.9e-2, SurfaceTension: .35}
	// Mercury is that at 20 °C, 1.554 mPa·s.
	//
	// Source: CRC Handbook of Chemistry and Physics; Jasper 1972 (surface tension).
	Mercury = Material{Density: 13546, Viscosity: 1.147e-7, SurfaceTension: .4865}
)

// With is the definition of a liquid made of m; the rest stays.
//
//	liq, err := fluid.New(fluid.Def{Domain: room, CellSize: 0.05}.With(fluid.Honey))
func (d Def) With(m Material) Def {
	d.Physics.Density, d.Physics.Viscosity, d.Physics.SurfaceTension = m.Density, m.Viscosity, m.SurfaceTension
	return d
}

// material is what the liquid is made of.
func (d Def) material() Material {
	return Material{Density: d.Physics.Density, Viscosity: d.Physics.Viscosity, SurfaceTension: d.Physics.SurfaceTension}
}
