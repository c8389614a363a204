import tfmini as tf


def my_image_filter(input_images):
    weights = tf.get_variable("weights", [5, 5], initializer=tf.random_normal_initializer())
    return tf.matmul(input_images, weights)


image1, image2 = tf.zeros([2, 5]), tf.ones([2, 5])
result1 = my_image_filter(image1)
try:
    result2 = my_image_filter(image2)
except ValueError as error:
    first, _, place = str(error).partition("Originally defined at:")
    print(type(error).__name__, first + "Originally defined at:")
    print('File "' in place)

try:
    w_1 = tf.get_variable(name="w_1", initializer=1)
    w_2 = tf.get_variable(name="w_1", initializer=2)
except ValueError as error:
    print(str(error).split("Originally")[0])
