from tfmini._src.contrib.deprecated import audio_summary as audio_summary
from tfmini._src.contrib.deprecated import histogram_summary as histogram_summary
from tfmini._src.contrib.deprecated import image_summary as image_summary
from tfmini._src.contrib.deprecated import merge_all_summaries as merge_all_summaries
from tfmini._src.contrib.deprecated import merge_summary as merge_summary
from tfmini._src.contrib.deprecated import scalar_summary as scalar_summary
