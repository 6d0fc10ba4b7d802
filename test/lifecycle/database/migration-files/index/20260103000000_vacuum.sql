vacuum notes;
