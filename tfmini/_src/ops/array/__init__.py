"""Shape and layout ops: constants, shapes, reshaping, slicing, gathering, padding, space-depth conversion, patches.

Views share memory with their input; the declaration of an op states whether it returns a view.
"""
