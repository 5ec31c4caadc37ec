package fluid

import "github.com/meniscus3d/meniscus/fluid/internal/calls"

var (
	inAddEmitter     = calls.Changes.Call("AddEmitter")
	inAddObstacle    = calls.Changes.Call("AddObstacle")
	inAddSink        = calls.Changes.Call("AddSink")
	inMoveEmitter    = calls.Changes.Call("MoveEmitter")
	inMoveObstacle   = calls.Changes.Call("MoveObstacle")
	inMoveSink       = calls.Changes.Call("MoveSink")
	inSetCurrent     = calls.Changes.Call("SetCurrent")
	inSetEmitter     = calls.Changes.Call("SetEmitter")
	inSetSink        = calls.Changes.Call("SetSink")
	inStartEmitter   = calls.Changes.Call("StartEmitter")
	inRemoveEmitter  = calls.Removes.Call("RemoveEmitter")
	inRemoveObstacle = calls.Removes.Call("RemoveObstacle")
	inRemoveSink     = calls.Removes.Call("RemoveSink")
	inStopEmitter    = calls.Removes.Call("StopEmitter")
	inCurrent        = calls.AsksNobody.Call("Current")
)
