"""Shape and layout ops: constants, shapes, reshaping, slicing, gathering, padding, space-depth conversion, patches.

Views share memory with their input; each op's declaration states whether it returns one.
"""
