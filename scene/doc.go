// Package scene draws a liquid in a g3n scene: a node that steps the liquid, uploads its
// surface and shades it with refraction, absorption, reflection, foam, droplets and white water; daylight, a
// room and materials that go with it; nodes that follow bodies, and bodies that are shown and
// dragged; models that are checked and become bodies; controls, with which the liquid takes the shape of a model or a clip; a HUD
// and overlays. Command demo/hello is a small game made of them.
//
// Everything here that touches OpenGL stays on the goroutine that made the window. The steps
// run on another, see Liquid.Update, and beside the frames with LiquidOptions.Async.
//
// It is the adapter to g3n of package scene/adapter, which has what any engine's adapter needs: a
// game on another engine uses that one alone, see scene/README.md.
//
// # Colours
//
// Liquid.Draw keeps light as it is: linear, without a limit, in half floats. Bloom spreads some of what is too bright for a display,
// LiquidOptions.Bloom. One pass alone then maps tones, which is the identity up to 0.8, and adds the sRGB curve; the last one smooths edges and dithers.
// g3n's standard, physical, basic, point and panel materials are drawn with programs of this package's
// while Draw draws: their colours and textures are taken for a display's and become light, a material's specular colour and a light's colour are
// plain factors, and nothing is clamped. In a game's own Render they are g3n's as ever. GUI panels and the HUD that are drawn after Draw keep their colours.
//
// What a program of a game's own writes is taken for a display's colours too, and shows as them. To give light in Draw, which shadows, bloom and
// water then treat as such, its fragment shader asks for the define MENISCUS_LINEAR, and writes linear light where there is one:
//
//	#ifdef MENISCUS_LINEAR
//	    FragColor = vec4(light, 1);
//	#else
//	    FragColor = vec4(pow(light, vec3(1.0 / 2.2)), 1);
//	#endif
//
// It is told of the define even if its material is shader-unique. Draw reads the sources from OpenGL, wherever they were registered. A shader that declares
// FrontDepth, Inside, Cut or Murk, or writes no vec3 or vec4, is drawn as it is.
//
// # Without Draw
//
// A game's own Render shows a liquid too, blended over what was drawn before: with its surface's foam, its droplets and its spray, and a sky that it mirrors.
// It refracts nothing, and what passes make is missing: shadows, caustics, mirror images, the haze within, patches of foam, bubbles.
//
// # Passes
//
// Draw is a list of passes, passes in frame.go, with a comment there that says how to add one. SetQuality says how many there are, SetDebugView shows what
// one of them draws, and PassTimes and the HUD how long each takes the graphics card. LiquidOptions.DrawBudget lowers the quality where they take too long.
//
// Liquids are drawn from the farthest to the nearest, and each refracts the farther ones with the scene. A plane that parts the bounds of two liquids tells
// the nearer one, or else the bounds' distance does; liquids that reach into each other are not split.
//
// Transparent materials of g3n's standard, physical, basic, point and panel programs are cut where a liquid begins: what is behind is drawn before the
// liquid, the rest after it. A transparent material with a program of a game's own is drawn with the scene. The picture that DrawHigh mirrors in a liquid
// has what is transparent, and no other liquid; the scene's own, which DrawMedium mirrors, has the farther liquids, and of what is transparent what lies
// behind.
package scene
