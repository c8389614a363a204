"""Images, audio, boxes and summaries: rare options, and errors."""

import numpy as np

IMAGE = (np.arange(48, dtype="f").reshape(1, 4, 4, 3) * 37 % 50) / 64


def recoloured(tf, stage):
    ph, im = tf.placeholder_with_default, tf.image
    bytes_ = (IMAGE * 255).astype(np.uint8)
    unknown = lambda: ph(IMAGE, None)  # noqa: E731
    stage.each(
        {
            "brightness": lambda: im.adjust_brightness(bytes_, 0.5),
            "contrast": lambda: im.adjust_contrast(bytes_, 2.0),
            "gamma": lambda: im.adjust_gamma(bytes_, 0.5, 2),
            "gamma_negative": lambda: im.adjust_gamma(IMAGE, -1),
            "gamma_fed": lambda: im.adjust_gamma(IMAGE, ph(-1.0, [])),
            "hue": lambda: im.adjust_hue(bytes_, -0.3, "own"),
            "saturation": lambda: im.adjust_saturation(bytes_, 3.0, "own"),
            "random_brightness": lambda: im.random_brightness(IMAGE, 0.5, 7),
            "random_contrast": lambda: im.random_contrast(IMAGE, 0.5, 2.0, 7),
            "random_hue": lambda: im.random_hue(IMAGE, 0.5, 7),
            "random_saturation": lambda: im.random_saturation(IMAGE, 0.5, 2.0, 7),
            "brightness_wrong": lambda: im.random_brightness(IMAGE, -0.1),
            "contrast_empty": lambda: im.random_contrast(IMAGE, 1.0, 1.0),
            "contrast_negative": lambda: im.random_contrast(IMAGE, -1.0, 1.0),
            "hue_far": lambda: im.random_hue(IMAGE, 0.6),
            "hue_negative": lambda: im.random_hue(IMAGE, -0.1),
            "saturation_negative": lambda: im.random_saturation(IMAGE, -1.0, 1.0),
            "saturation_empty": lambda: im.random_saturation(IMAGE, 2.0, 1.0),
            "quality": lambda: im.random_jpeg_quality(bytes_[0], 50, 40),
            "quality_far": lambda: im.random_jpeg_quality(bytes_[0], 50, 101),
            "standard": lambda: im.per_image_standardization(bytes_[0] * 0),
            "grey": lambda: [
                im.rgb_to_grayscale(bytes_, "own"),
                im.grayscale_to_rgb(IMAGE[..., :1]),
            ],
            "converted": lambda: [
                im.convert_image_dtype(bytes_, k, saturate=True, name="own")
                for k in (tf.int16, tf.float16, tf.int32)
            ],
            "converted_down": lambda: im.convert_image_dtype(
                np.array([300, -5, 40000], np.int32), tf.uint8, True
            ),
            "converted_floats": lambda: im.convert_image_dtype([1.5, -0.5, 0.999], tf.uint8, True),
            "hsv": lambda: im.hsv_to_rgb(im.rgb_to_hsv(IMAGE, "own")),
            "yiq": lambda: [im.rgb_to_yiq(IMAGE), im.yuv_to_rgb(IMAGE)],
            "flip": lambda: [im.flip_left_right(unknown()), im.flip_up_down(IMAGE[0])],
            "flip_rank": lambda: im.flip_left_right(IMAGE[0, 0]),
            "random_flip": lambda: [
                im.random_flip_left_right(IMAGE, 3),
                im.random_flip_up_down(IMAGE[0], 5),
            ],
            "turned": lambda: [im.rot90(IMAGE, 3, "own"), im.rot90(IMAGE[0], ph(-1, []))],
            "turned_rank": lambda: im.rot90(IMAGE[0, 0]),
            "transposed": lambda: [im.transpose_image(IMAGE[0]), im.transpose(IMAGE, "own")],
            "edges": lambda: im.sobel_edges(IMAGE),
            "gradients": lambda: im.image_gradients(IMAGE),
            "gradients_rank": lambda: im.image_gradients(tf.constant(IMAGE[0])),
            "variation": lambda: [im.total_variation(IMAGE[0]), im.total_variation(IMAGE, "own")],
            "variation_rank": lambda: im.total_variation(IMAGE[0, 0]),
            "dilated": lambda: tf.nn.dilation2d(
                IMAGE, np.ones([2, 2, 3], "f"), [1, 1, 2, 1], [1, 2, 1, 1], "VALID"
            ),
        },
        graph="sum",
    )


def cut_and_resized(tf, stage):
    ph, im = tf.placeholder_with_default, tf.image
    unknown = lambda: ph(IMAGE, [None] * 4)  # noqa: E731
    resize = im.resize_images
    v2 = im.resize_image_v2 if hasattr(im, "resize_image_v2") else tf.compat.v2.image.resize
    boxes = [[0.1, 0.2, 0.9, 0.7], [1.0, 0.0, -0.5, 1.5]]
    cases = {
        "pad": lambda: im.pad_to_bounding_box(IMAGE[0], 1, 2, 6, 7),
        "pad_fed": lambda: im.pad_to_bounding_box(unknown(), 1, ph(2, []), 6, 7),
        "pad_small": lambda: im.pad_to_bounding_box(IMAGE, 1, 2, 4, 7),
        "pad_narrow": lambda: im.pad_to_bounding_box(unknown(), 1, 2, 6, 5),
        "pad_negative": lambda: im.pad_to_bounding_box(IMAGE, -1, 2, 6, 7),
        "pad_left": lambda: im.pad_to_bounding_box(unknown(), 1, ph(-2, []), 6, 7),
        "crop": lambda: im.crop_to_bounding_box(unknown(), 1, 2, 2, 2),
        "crop_fed": lambda: im.crop_to_bounding_box(IMAGE, ph(1, []), 2, ph(2, []), 2),
        "crop_far": lambda: im.crop_to_bounding_box(IMAGE, 1, 3, 2, 2),
        "crop_low": lambda: im.crop_to_bounding_box(unknown(), 3, 1, 2, 2),
        "crop_none": lambda: im.crop_to_bounding_box(IMAGE, 1, 1, 0, 2),
        "crop_narrow": lambda: im.crop_to_bounding_box(IMAGE, 1, 1, 2, ph(0, [])),
        "crop_before": lambda: im.crop_to_bounding_box(IMAGE, 1, -1, 2, 2),
        "fitted": lambda: im.resize_image_with_crop_or_pad(IMAGE, 3, 7),
        "fitted_fed": lambda: im.resize_image_with_crop_or_pad(unknown(), ph(7, []), ph(3, [])),
        "fitted_none": lambda: im.resize_image_with_crop_or_pad(IMAGE, 0, 7),
        "fitted_rank": lambda: im.resize_image_with_crop_or_pad(IMAGE[0, 0], 1, 7),
        "central": lambda: [im.central_crop(IMAGE, 0.5), im.central_crop(unknown(), 0.75)],
        "central_all": lambda: im.central_crop(IMAGE, 1.0),
        "central_far": lambda: im.central_crop(IMAGE, 1.5),
        "resized": lambda: [resize(IMAGE, [3, 5], m, True) for m in range(4)],
        "resized_same": lambda: resize(IMAGE, [4, 4]),
        "resized_ratio": lambda: resize(unknown(), [3, 8], preserve_aspect_ratio=True, name="own"),
        "resized_ratio_static": lambda: resize(IMAGE[0], [8, 3], 1, preserve_aspect_ratio=True),
        "resized_method": lambda: resize(IMAGE, [3, 5], 4),
        "resized_size": lambda: resize(IMAGE, [3]),
        "resized_floats": lambda: resize(IMAGE, [3.5, 2.0]),
        "resized_rank": lambda: resize(IMAGE[0, 0], [3, 5]),
        "resized_unknown": lambda: resize(ph(IMAGE, None), [3, 5]),
        "padded": lambda: im.resize_image_with_pad(IMAGE, 5, 9, 1, True),
        "padded_fed": lambda: im.resize_image_with_pad(unknown(), 9, ph(5, [])),
        "padded_none": lambda: im.resize_image_with_pad(IMAGE, 5, 0),
        "v2": lambda: [
            v2(IMAGE, [3, 5], m, antialias=a)
            for m in ("bilinear", "lanczos3", "bicubic", "gaussian", "area", "mitchellcubic")
            for a in (False, True)
        ],
        "v2_ratio": lambda: v2(IMAGE, [3, 9], preserve_aspect_ratio=True, name="own"),
        "v2_method": lambda: v2(IMAGE, [3, 5], "some"),
        "ops": lambda: [
            f(IMAGE, [3, 5], half_pixel_centers=True, name="own")
            for f in (im.resize_bilinear, im.resize_bicubic, im.resize_nearest_neighbor)
        ],
        "ops_both": lambda: im.resize_bilinear(IMAGE, [3, 5], True, None, True),
        "ops_area": lambda: im.resize_area(IMAGE, [2, 3], True),
        "ops_none": lambda: im.resize_bilinear(IMAGE, ph([0, 3], [2])),
        "boxes": lambda: im.crop_and_resize(IMAGE, boxes, [0, 0], [2, 3], "nearest", 7.0, "own"),
        "boxes_one": lambda: im.crop_and_resize(IMAGE, boxes, crop_size=[1, 1], box_indices=[0, 0]),
        "boxes_far": lambda: im.crop_and_resize(IMAGE, boxes, [0, 1], [2, 3]),
        "boxes_other": lambda: im.crop_and_resize(IMAGE, boxes, [0, 0], [2, 3], "cubic"),
        "boxes_both": lambda: im.crop_and_resize(IMAGE, boxes, [0, 0], [2, 3], box_indices=[0, 0]),
        "boxes_gradient": lambda: tf.gradients(
            im.crop_and_resize(tf.constant(IMAGE), tf.constant(boxes), [0, 0], [1, 3]) ** 2,
            tf.get_default_graph().get_tensor_by_name("Const_1:0"),
        ),
        "glimpse": lambda: im.extract_glimpse(IMAGE, [2, 2], [[2, 1]], False, False, name="own"),
        "glimpse_middle": lambda: im.extract_glimpse(IMAGE, [2, 1], [[0.25, -0.25]]),
        "glimpse_pixels": lambda: im.extract_glimpse(IMAGE, [1, 1], [[1.0, -1.0]], True, False),
        "glimpse_zero": lambda: tf.compat.v2.image.extract_glimpse(
            IMAGE, [6, 2], [[0.0, 0.9]], noise="zero"
        ),
        "glimpse_other": lambda: tf.compat.v2.image.extract_glimpse(
            IMAGE, [6, 2], [[0.0, 0.9]], noise="some"
        ),
        "glimpse_batch": lambda: im.extract_glimpse(
            unknown(), [2, 2], ph([[0.0, 0.0]] * 2, [None, 2])
        ),
        "drawn": lambda: im.draw_bounding_boxes(IMAGE, [boxes]),
        "drawn_grey": lambda: im.draw_bounding_boxes(IMAGE[..., :1], [boxes * 2], "own"),
        "drawn_colours": lambda: im.draw_bounding_boxes(IMAGE, [boxes], colors=[[0.1, 0.2, 0.3]]),
        "drawn_few": lambda: im.draw_bounding_boxes(IMAGE, [boxes], colors=[[0.1, 0.2]]),
        "drawn_depth": lambda: im.draw_bounding_boxes(ph(IMAGE[..., :2], None), [boxes]),
        "drawn_batch": lambda: im.draw_bounding_boxes(ph(IMAGE, None), ph([boxes] * 2, None)),
        "drawn_inverted": lambda: im.draw_bounding_boxes(IMAGE, [[[0.0, 0.9, 1.0, 0.1]]]),
        "psnr": lambda: [
            im.psnr(IMAGE, IMAGE[:, ::-1], 2.0, "own"),
            im.psnr([[[1]]], [[[3]]], 255),
        ],
        "psnr_bytes": lambda: im.psnr((IMAGE * 9).astype("u1"), (IMAGE * 8).astype("u1"), 255),
        "ssim": lambda: im.ssim(unknown(), IMAGE[:, ::-1], 1.0, 3, 0.7, 0.02, 0.05),
        "ssim_large": lambda: im.ssim(unknown(), IMAGE, 1.0),
        "ssim_other": lambda: im.ssim(IMAGE, tf.constant(IMAGE[:, :3]), 1.0),
        "ssim_scales": lambda: im.ssim_multiscale(
            IMAGE, IMAGE[:, ::-1], 1.0, (0.4, 0.6), 2, 0.7, 0.02, 0.05
        ),
        "sampled": lambda: list(
            im.sample_distorted_bounding_box(
                [40, 50, 3], [[[0.1, 0.2, 0.9, 0.7]]], 3, 4, 0.3, [0.5, 2.0], [0.2, 0.6], 20
            )
        ),
        "sampled_none": lambda: list(
            im.sample_distorted_bounding_box([40, 50, 3], np.zeros([1, 0, 4], "f"), 3, 4)
        ),
        "sampled_whole": lambda: list(
            im.sample_distorted_bounding_box(
                [40, 50, 3],
                np.zeros([1, 0, 4], "f"),
                3,
                4,
                use_image_if_no_bounding_boxes=True,
                name="own",
            )
        ),
        "sampled_outside": lambda: list(
            im.sample_distorted_bounding_box([40, 50, 3], ph([[[0.1, 0.2, 1.5, 0.7]]], None), 3, 4)
        ),
        "sampled_area": lambda: im.sample_distorted_bounding_box(
            [4, 5, 3], [[]], area_range=[0.5, 2]
        ),
        "sampled_aspect": lambda: im.sample_distorted_bounding_box(
            [4, 5, 3], [[]], aspect_ratio_range=[0.0, 2]
        ),
    }
    stage.each(cases, graph="sum")


def suppressed(tf, stage):
    ph, im = tf.placeholder_with_default, tf.image
    boxes = np.array(
        [[0, 0, 1, 1], [0, 0.1, 1, 1.1], [0, -0.1, 1, 0.9], [0, 2, 1, 3], [1, 3, 0, 2]], "f"
    )
    scores = np.array([0.9, 0.75, 0.6, 0.95, 0.5], "f")
    plain, all_classes = im.non_max_suppression, im.combined_non_max_suppression
    several = boxes[None, :, None], np.stack([scores, scores[::-1]], 1)[None]
    overlaps = np.array([[1, 0.6, 0.1], [0.6, 1, 0.2], [0.1, 0.2, 1]], "f")
    stage.each(
        {
            "plain": lambda: plain(boxes, scores, 5),
            "threshold": lambda: plain(boxes, scores, 5, 0.9, 0.55, "own"),
            "few": lambda: plain(boxes, scores, ph(1, [])),
            "far": lambda: plain(boxes, scores, 5, ph(1.5, [])),
            "lengths": lambda: plain(ph(boxes, None), ph(scores[:4], None), 5),
            "columns": lambda: plain(ph(boxes[:, :3], None), scores, 5),
            "scores": lambda: im.non_max_suppression_with_scores(
                boxes, scores, 5, 0.5, 0.2, 0.4, "own"
            ),
            "padded": lambda: im.non_max_suppression_padded(
                boxes, scores, 7, pad_to_max_output_size=True, name="own"
            ),
            "not_padded": lambda: im.non_max_suppression_padded(boxes, scores, 7),
            "overlaps": lambda: im.non_max_suppression_overlaps(
                overlaps, scores[:3], 3, 0.55, 0.1, "own"
            ),
            "overlaps_shape": lambda: im.non_max_suppression_overlaps(
                ph(overlaps[:2], None), scores[:3], 3
            ),
            "combined": lambda: all_classes(*several, 2, 5, 0.5, 0.55, True, False, "own"),
            "combined_clipped": lambda: all_classes(*several, 3, 4),
            "combined_double": lambda: all_classes(*several, 3, 4, iou_threshold=np.float64(0.5)),
            "combined_wide": lambda: all_classes(*several, 1, 9, pad_per_class=True),
            "combined_none": lambda: all_classes(*several, ph(0, []), 9),
        },
        graph="sum",
    )


def sounds(tf, stage):
    ph, s = tf.placeholder_with_default, tf.signal
    x = (np.arange(20, dtype="f") * 7 % 11 - 5) / 8
    unknown = lambda: ph(x, None)  # noqa: E731
    spectra = lambda: s.stft(x, 8, 4)  # noqa: E731
    wave = lambda *a, **k: tf.audio.encode_wav(np.stack([x, -x], 1), 8000, *a, **k)  # noqa: E731
    raw = tf.raw_ops
    stage.each(
        {
            "frames": lambda: s.frame(x.reshape(4, 5), 3, 2, True, -1.0, 0, "own"),
            "frames_cut": lambda: s.frame(x, 6, 4),
            "frames_fed": lambda: s.frame(unknown(), ph(6, []), 4, True, 7.0),
            "frames_long": lambda: s.frame(x, 30, 4),
            "frames_vector": lambda: s.frame(x, [6], 4),
            "frames_value": lambda: s.frame(x, 6, 4, True, [1.0]),
            "frames_scalar": lambda: s.frame(1.0, 6, 4),
            "added": lambda: s.overlap_and_add(x.reshape(2, 2, 5), 2, "own"),
            "added_fast": lambda: s.overlap_and_add(x.reshape(4, 5), 5),
            "added_wide": lambda: s.overlap_and_add(x.reshape(4, 5), 7),
            "added_float": lambda: s.overlap_and_add(x.reshape(4, 5), 2.0),
            "added_rank": lambda: s.overlap_and_add(x, 2),
            "stft": lambda: s.stft(x, 6, 3, 10, None, True, "own"),
            "stft_power": lambda: s.stft(x, ph(6, []), 3),
            "stft_window": lambda: s.stft(x, 6, 3, window_fn=s.hamming_window),
            "inverse": lambda: s.inverse_stft(
                spectra(), 8, 4, window_fn=s.inverse_stft_window_fn(4)
            ),
            "inverse_none": lambda: s.inverse_stft(spectra(), 6, 4, 8, None, "own"),
            "inverse_longer": lambda: s.inverse_stft(spectra(), 10, 4, 8),
            "inverse_fed": lambda: s.inverse_stft(spectra(), ph(6, []), 4),
            "inverse_window": lambda: s.inverse_stft_window_fn(3, s.hamming_window, "own")(
                8, tf.float32
            ),
            "windows": lambda: [
                f(n, periodic=p, dtype=k, name="own")
                for f in (s.hann_window, s.hamming_window)
                for n in (1, 4, 5)
                for p in (True, False)
                for k in (tf.float32, tf.float64)
            ],
            "windows_integers": lambda: s.hann_window(4, dtype=tf.int32),
            "windows_vector": lambda: s.hann_window([4]),
            "dct": lambda: [s.dct(x, t, n) for t in (1, 2, 3) for n in (None, 12, 24)],
            "dct_ortho": lambda: [s.dct(x, t, norm="ortho", name="own") for t in (2, 3)],
            "idct": lambda: [s.idct(x, t, name="own") for t in (1, 2, 3)],
            "dct_wrong": lambda: s.dct(x, 4),
            "dct_axis": lambda: s.dct(x, axis=0),
            "dct_n": lambda: s.dct(x, n=0),
            "dct_norm": lambda: s.dct(x, norm="some"),
            "dct_norm_of_1": lambda: s.dct(x, 1, norm="ortho"),
            "dct_short": lambda: s.dct(tf.constant(x[:1]), 1),
            "idct_wrong": lambda: s.idct(x, 4),
            "idct_axis": lambda: s.idct(x, axis=1),
            "idct_norm_of_1": lambda: s.idct(x, 1, norm="ortho"),
            "mfccs": lambda: s.mfccs_from_log_mel_spectrograms(unknown(), "own"),
            "mfccs_none": lambda: s.mfccs_from_log_mel_spectrograms(tf.zeros([2, 0])),
            "mel": lambda: s.linear_to_mel_weight_matrix(
                4, 9, 8000, 100.0, 3000.0, tf.float64, "own"
            ),
            "mel_few": lambda: s.linear_to_mel_weight_matrix(0, 9),
            "mel_edges": lambda: s.linear_to_mel_weight_matrix(4, 9, 8000, 200.0, 100.0),
            "mel_negative": lambda: s.linear_to_mel_weight_matrix(4, 9, 8000, -1.0),
            "mel_high": lambda: s.linear_to_mel_weight_matrix(4, 9, 8000, 100.0, 5000.0),
            "mel_type": lambda: s.linear_to_mel_weight_matrix(4, 9, dtype=tf.int32),
            "fft": lambda: s.rfft(x, [24], "own"),
            "fft_cut": lambda: s.irfft(s.rfft(x, [7]), [6]),
            "fft_3d": lambda: s.rfft3d(x.reshape(1, 4, 5), [2, 3, 7]),
            "fft_few": lambda: s.rfft2d(x.reshape(4, 5), [4]),
            "shifted": lambda: [s.fftshift(x[:5], 0, "own"), s.ifftshift(x.reshape(4, 5), (0, -1))],
            "decoded": lambda: list(tf.audio.decode_wav(wave(), 1, 5, "own")),
            "decoded_more": lambda: list(tf.audio.decode_wav(wave(), 3, 22)),
            "decoded_wrong": lambda: list(tf.audio.decode_wav("RIFF")),
            "decoded_count": lambda: list(tf.audio.decode_wav(wave(), -2)),
            "encoded": lambda: tf.audio.encode_wav(x[:3, None] * 9, 8000, "own"),
            "encoded_rate": lambda: tf.audio.encode_wav(x[:, None], ph(0, [])),
            "encoded_rank": lambda: tf.audio.encode_wav(ph(x, None), 8000),
            "spectrogram": lambda: raw.AudioSpectrogram(
                input=x[:, None], window_size=6, stride=4, magnitude_squared=True
            ),
            "spectrogram_window": lambda: raw.AudioSpectrogram(
                input=x[:, None], window_size=1, stride=4
            ),
            "cepstra": lambda: raw.Mfcc(
                spectrogram=np.abs(x[:18]).reshape(1, 2, 9),
                sample_rate=8000,
                upper_frequency_limit=3000.0,
                lower_frequency_limit=100.0,
                filterbank_channel_count=4,
                dct_coefficient_count=3,
            ),
        },
        graph="sum",
    )
