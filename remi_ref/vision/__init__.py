"""From a photo to tiles in notation; knows no rules. OpenCV is loaded only when a photo is read."""
