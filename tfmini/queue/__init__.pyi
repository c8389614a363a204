from tfmini import FIFOQueue as FIFOQueue
from tfmini import PaddingFIFOQueue as PaddingFIFOQueue
from tfmini import PriorityQueue as PriorityQueue
from tfmini import QueueBase as QueueBase
from tfmini import RandomShuffleQueue as RandomShuffleQueue
