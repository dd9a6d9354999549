// Made in this step's followers.
