"""Graphs as messages: GraphDef, MetaGraphDef's collections, function libraries; import and export."""
