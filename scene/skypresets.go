package scene

import "github.com/g3n/engine/math32"

// Skies by name, for NewDaylight, LiquidOptions and SetSky. The camera of a game that looks towards -z has the afternoon's and the dusk's sun in front of it.
// Each may be changed: s := scene.DuskSky; s.Sun.X = 1.
var (
	// AfternoonSky is a clear one with a high sun, the zero SkyOptions.
	AfternoonSky = SkyOptions{}
	// NoonSky has the sun overhead: short shadows, and the brightest floor.
	NoonSky = SkyOptions{Zenith: math32.Color{R: .10, G: .28, B: .66}, Horizon: math32.Color{R: .62, G: .76, B: .90}, Ground: math32.Color{R: .38, G: .41, B: .42},
		Sun: math32.Vector3{X: .15, Y: .97, Z: .2}, SunLit: math32.Color{R: 1.05, G: 1, B: .93}}
	// MorningSky has a low yellow sun from the right, and long shadows.
	MorningSky = SkyOptions{Zenith: math32.Color{R: .16, G: .30, B: .58}, Horizon: math32.Color{R: .86, G: .76, B: .64}, Ground: math32.Color{R: .32, G: .32, B: .31},
		Sun: math32.Vector3{X: .75, Y: .46, Z: .48}, SunLit: math32.Color{R: 1, G: .78, B: .52}}
	// DuskSky has a red sun close to the horizon, whose path lies on the water.
	DuskSky = SkyOptions{Zenith: math32.Color{R: .07, G: .10, B: .24}, Horizon: math32.Color{R: .78, G: .36, B: .17}, Ground: math32.Color{R: .11, G: .09, B: .09},
		Sun: math32.Vector3{X: -.38, Y: .13, Z: -.9}, SunLit: math32.Color{R: .9, G: .36, B: .11}}
	// OvercastSky has no sun to speak of: light from everywhere, without shadows, glints and caustics.
	OvercastSky = SkyOptions{Zenith: math32.Color{R: .56, G: .59, B: .62}, Horizon: math32.Color{R: .70, G: .72, B: .74}, Ground: math32.Color{R: .32, G: .33, B: .33},
		Sun: math32.Vector3{X: .3, Y: .9, Z: .2}, SunLit: math32.Color{R: .02, G: .02, B: .02}}
	// NightSky has a moon that is some thirtieth of the sun.
	NightSky = SkyOptions{Zenith: math32.Color{R: .004, G: .007, B: .018}, Horizon: math32.Color{R: .014, G: .020, B: .038}, Ground: math32.Color{R: .004, G: .005, B: .007},
		Sun: math32.Vector3{X: -.35, Y: .6, Z: -.5}, SunLit: math32.Color{R: .030, G: .038, B: .055}}
)
