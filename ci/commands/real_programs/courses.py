"""Programs from courses, books and example collections."""

from ci.commands.real_programs import inputs
from ci.commands.real_programs.rows import Program

DAMIEN = "aymericdamien/TensorFlow-Examples"
LINTZ = "nlintz/TensorFlow-Tutorials"
MITAL = "pkmital/tensorflow_tutorials"
STANFORD = "chiphuyen/stanford-tensorflow-tutorials"
GOLBIN = "golbin/TensorFlow-Tutorials"
MORVAN = "MorvanZhou/Tensorflow-Tutorial"
KIM = "hunkim/DeepLearningZeroToAll"
COOKBOOK = "nfmcclure/tensorflow_cookbook"
PACKT = "PacktPublishing/Deep-Learning-with-TensorFlow"
BOOK = "backstopmedia/tensorflowbook"
GERON = "ageron/handson-ml"
CHOI = "sjchoi86/Tensorflow-101"
GENERATIVE = "wiseodd/generative-models"

V1 = "tensorflow_v1/examples"
MNIST_IN_TMP = {"/tmp/data": inputs.mnist}
EPOCH_ACCURACY = r"^\d+ 0\.[5-9]\d*"

COURSES: tuple[Program, ...] = (
    Program(DAMIEN, f"{V1}/1_Introduction/helloworld.py", r"b'Hello, TensorFlow!'"),
    Program(DAMIEN, f"{V1}/1_Introduction/basic_operations.py", r"with variables: 6\n\[\[12\.\]\]"),
    Program(DAMIEN, f"{V1}/2_BasicModels/linear_regression.py", r"Testing cost= 0\.0\d+"),
    Program(
        DAMIEN,
        f"{V1}/2_BasicModels/logistic_regression.py",
        r"^Accuracy: 0\.[7-9]\d*",
        data=MNIST_IN_TMP,
    ),
    Program(
        DAMIEN,
        f"{V1}/2_BasicModels/nearest_neighbor.py",
        r"^Accuracy: 0\.[7-9]\d*",
        data=MNIST_IN_TMP,
    ),
    Program(
        DAMIEN,
        f"{V1}/2_BasicModels/kmeans.py",
        r"Test Accuracy: 0\.\d+",
        data=MNIST_IN_TMP,
    ),
    Program(
        DAMIEN,
        f"{V1}/3_NeuralNetworks/recurrent_network.py",
        r"Step 200, Minibatch Loss= \d",
        data=MNIST_IN_TMP,
        endless=True,
    ),
    Program(
        DAMIEN,
        f"{V1}/3_NeuralNetworks/dynamic_rnn.py",
        r"Step 25600, Minibatch Loss= 0\.\d+",
        endless=True,
    ),
    Program(
        DAMIEN,
        f"{V1}/3_NeuralNetworks/convolutional_network_raw.py",
        r"Step 20, Minibatch Loss= \d",
        data=MNIST_IN_TMP,
        endless=True,
    ),
    Program(
        DAMIEN,
        f"{V1}/3_NeuralNetworks/variational_autoencoder.py",
        r"Step 1000, Loss: \d+",
        data=MNIST_IN_TMP,
        endless=True,
    ),
    Program(
        DAMIEN,
        f"{V1}/3_NeuralNetworks/dcgan.py",
        r"Step 1: Generator Loss: \d+",
        data=MNIST_IN_TMP,
        endless=True,
    ),
    Program(
        DAMIEN,
        f"{V1}/3_NeuralNetworks/convolutional_network.py",
        r"Testing Accuracy: 0\.[7-9]\d*",
        data=MNIST_IN_TMP,
        seconds=400,
    ),
    Program(
        DAMIEN,
        f"{V1}/4_Utils/tensorboard_advanced.py",
        r"^Accuracy: 0\.[7-9]\d*",
        data=MNIST_IN_TMP,
        seconds=300,
    ),
    Program(
        DAMIEN,
        f"{V1}/5_DataManagement/tensorflow_dataset_api.py",
        r"Step 100, Minibatch Loss",
        data=MNIST_IN_TMP,
        endless=True,
    ),
    Program(LINTZ, "00_multiply.py", r"2\.0+ should equal 2\.0\n9\.0+ should equal 9"),
    Program(LINTZ, "03_net.py", EPOCH_ACCURACY, data={"MNIST_data": inputs.mnist}, endless=True),
    Program(
        LINTZ,
        "05_convolutional_net.py",
        r"^0 0\.\d+",
        data={"MNIST_data": inputs.mnist},
        endless=True,
    ),
    Program(LINTZ, "07_lstm.py", EPOCH_ACCURACY, data={"MNIST_data": inputs.mnist}, endless=True),
    Program(LINTZ, "08_word2vec.py", r"Loss at +\d+ \d+\.\d+"),
    Program(
        LINTZ,
        "09_tensorboard.py",
        r"^2 0\.\d+",
        data={"MNIST_data": inputs.mnist},
        endless=True,
    ),
    Program(
        LINTZ,
        "10_save_restore_net.py",
        r"^3 0\.\d+",
        data={"MNIST_data": inputs.mnist},
        endless=True,
    ),
    Program(
        MITAL,
        "python/04_logistic_regression.py",
        r"^0\.[5-9]\d*",
        data={"python/MNIST_data": inputs.mnist},
    ),
    Program(
        MITAL,
        "python/05_basic_convnet.py",
        r"^0\.[5-9]\d*",
        data={"python/MNIST_data": inputs.mnist},
    ),
    Program(
        MITAL,
        "python/07_autoencoder.py",
        r"^9 \d+",
        data={"python/MNIST_data": inputs.mnist},
        endless=True,
    ),
    Program(
        MITAL,
        "python/11_variational_autoencoder.py",
        r"Validation cost: \d+",
        data={"python/MNIST_data": inputs.mnist},
        seconds=300,
        endless=True,
    ),
    Program(STANFORD, "examples/02_placeholder.py", r"\[6\. 7\. 8\.\]\n21\n45"),
    Program(STANFORD, "examples/03_linreg_placeholder.py", r"Epoch 99: \d+\.\d+"),
    Program(
        STANFORD,
        "examples/03_logreg_placeholder.py",
        r"Accuracy 0\.[5-9]\d*",
        data={"examples/data/mnist": inputs.mnist},
    ),
    Program(
        STANFORD,
        "examples/05_randomization.py",
        r"3\.574932\n-5\.9731865\n(3\.574932\n){4}9\.123926\n-4\.5340395",
    ),
    Program(STANFORD, "examples/05_variable_sharing.py", r"\A(?!.*Error)"),
    Program(
        STANFORD,
        "examples/07_convnet_mnist.py",
        r"Loss at step 99: \d",
        data={"examples/data/mnist": inputs.mnist_whole_unpacked},
        endless=True,
    ),
    Program(GOLBIN, "03 - TensorFlow Basic/03 - Linear Regression.py", r"X: 5, Y: \[?[45]\.\d+"),
    Program(
        GOLBIN,
        "05 - TensorBoard, Saver/03 - TensorBoard2.py",
        r"정확도: \d+\.\d+",
    ),
    Program(
        GOLBIN,
        "07 - CNN/02 - tf.layers.py",
        r"Epoch: 0001 Avg\. cost = \d\.\d+",
        data={"07 - CNN/mnist/data": inputs.mnist},
        endless=True,
    ),
    Program(GOLBIN, "10 - RNN/02 - Autocomplete.py", r"정확도: [01]\.\d+"),
    Program(GOLBIN, "04 - Neural Network Basic/02 - Deep NN.py", r"정확도: \d+\.\d+"),
    Program(MORVAN, "tutorial-contents/301_simple_regression.py", r"\A(?!.*Error)"),
    Program(MORVAN, "tutorial-contents/305_tensorboard.py", r"\A(?!.*Error)"),
    Program(
        MORVAN,
        "tutorial-contents/401_CNN.py",
        r"Step: 0 \| train loss: \d\.\d+",
        data={"tutorial-contents/mnist": inputs.mnist},
        seconds=300,
        endless=True,
    ),
    Program(
        MORVAN,
        "tutorial-contents/406_GAN.py",
        r"\A(?!.*Error)",
        seconds=300,
    ),
    Program(MORVAN, "tutorial-contents/503_visualize_gradient_descent.py", r"a= 1?\d?\.\d+ b= \d"),
    Program(KIM, "lab-02-1-linear_regression.py", r"^2000 \S+ \[(0\.99|1\.00)\d*\]"),
    Program(KIM, "lab-04-4-tf_reader_linear_regression.py", r"Your score will be"),
    Program(KIM, "lab-06-2-softmax_zoo_classifier.py", r"Acc: 100\.00%"),
    Program(
        KIM,
        "lab-11-3-mnist_cnn_class.py",
        r"Epoch: 0001 cost = \d\.\d+",
        data={"MNIST_data": inputs.mnist},
        endless=True,
    ),
    Program(KIM, "lab-12-4-rnn_long_char.py", r"^499 ", endless=True),
    Program(
        KIM,
        "lab-13-2-mnist_tensorboard.py",
        r"^Epoch: 0001 cost = \d",
        data={"MNIST_data": inputs.mnist},
        endless=True,
    ),
    Program(
        COOKBOOK,
        "03_Linear_Regression/07_Implementing_Elasticnet_Regression/07_elasticnet_regression.py",
        r"Step #1000",
    ),
    Program(
        COOKBOOK,
        "04_Support_Vector_Machines/06_Implementing_Multiclass_SVMs/06_multiclass_svm.py",
        r"Step #100\b",
    ),
    Program(
        COOKBOOK,
        "11_More_with_TensorFlow/02_Working_with_a_Genetic_Algorithm/02_genetic_algorithm.py",
        r"Best Fitness",
    ),
    Program(
        COOKBOOK,
        "11_More_with_TensorFlow/04_Solving_A_System_of_ODEs/04_solving_ode_system.py",
        r"\A(?!.*Error)",
    ),
    Program(
        PACKT,
        "Chapter06/Python 3.5/bidirectional_RNN_1.py",
        r"Iter 1280, Minibatch Loss",
        data={"/tmp/data": inputs.mnist},
        endless=True,
    ),
    Program(
        PACKT,
        "Chapter03/Python 3.5/five_layers_relu_1.py",
        r"Accuracy: +0\.\d+",
        data={"/tmp/data": inputs.mnist},
    ),
    Program(BOOK, "chapters/03_tensorflow_fundamentals/basic_graph.py", r"\A(?!.*Error)"),
    Program(
        BOOK,
        "chapters/03_tensorflow_fundamentals/vectorized_graph.py",
        r"\A(?!.*Error)",
    ),
    Program(GERON, "extra_autodiff.ipynb", r"42\.0\)?, \[\S*24\.0\)?, \S*10\.0"),
    Program(CHOI, "notebooks/linear_regression.ipynb", r"^Epoch: 1951 cost= 0\.00\d+"),
    Program(
        CHOI,
        "notebooks/logistic_regression_mnist.ipynb",
        r"^DONE",
        data={"notebooks/data": inputs.mnist},
    ),
    Program(
        GENERATIVE,
        "GAN/vanilla_gan/gan_tensorflow.py",
        r"Iter: 1000\nD loss: \d",
        data={"MNIST_data": inputs.mnist},
        endless=True,
    ),
    Program(
        GENERATIVE,
        "VAE/vanilla_vae/vae_tensorflow.py",
        r"Iter: 1000\nLoss: \d",
        data={"MNIST_data": inputs.mnist},
        endless=True,
    ),
    Program(
        "rasbt/deep-learning-book",
        "code/_old-material/ch02_perceptron/ch02_perceptron.ipynb",
        r"^Number of test errors 0",
    ),
    Program(
        "burness/tensorflow-101",
        "algorithm/train_mnist_softmax.py",
        r"^0\.[5-9]\d*",
        data={"algorithm/mnist": inputs.mnist},
    ),
    Program(
        "jasonbaldridge/try-tf",
        "softmax-python3.py",
        r"Accuracy: (1\.0|0\.9)",
        ("--train", "simdata/linear_data_train.csv", "--test", "simdata/linear_data_eval.csv")
        + ("--num_epochs", "5", "--verbose", "--noplot"),
    ),
    Program(
        "alrojo/tensorflow-tutorial",
        "lab5_AE/lab5_AE.ipynb",
        r"l_out \(32, 784\)",
        libraries=("IPython",),
        data={"lab1_FFN/mnist.npz": inputs.mnist_arrays},
        endless=True,
    ),
    Program(
        "llSourcell/tensorflow_demo",
        "board.py",
        r"Accuracy: 0\.\d+",
        data={"data": inputs.mnist},
    ),
    Program(
        "jorditorresBCN/FirstContactWithTensorFlow",
        "regression_tb.py",
        r"^Step 100: W = 0\.\d+",
    ),
)
